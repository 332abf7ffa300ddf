"""The state of one lowering: what every core value has become, and where arrays are put.

A scalar becomes a scalar, an array becomes a `View`. Operations are emitted in program order; pure scalars also on
demand, when a size or an offset is needed earlier than the program computes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from tapeless._mlir import func, ir
from tapeless.abi import Site
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.soac.schedules import Schedule, schedule_of
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.loops.builder import Builder, Frame, Index
from tapeless.passes.lower.loops.memory.buffers import Buffer, BufferPool
from tapeless.passes.lower.loops.views import View
from tapeless.passes.lower.schedule.kinds import can_trap, is_fused, is_scalar_op
from tapeless.passes.lower.schedule.options import Options
from tapeless.passes.lower.storage.aliasing import StoragePlan, is_array
from tapeless.passes.lower.storage.storage import Sink, Storage
from tapeless.passes.lower.storage.tree import Node

# Adds a value to an element of an array, instead of a load, a sum and a store.
WayToAdd: TypeAlias = Callable[[View, Sequence[Index], ir.Value], None]


class Unavailable(Exception):
    """A scalar cannot be computed yet at the place where it was asked for."""


@dataclass(frozen=True)
class OwnAllocation:
    """A sink without a place: the array that ends there is allocated on its own and handed over."""


@dataclass(frozen=True)
class Partials:
    """The results of a reduction's blocks, how many blocks there are, and the first and last iterations of each."""

    table: Buffer
    blocks: Index
    bounds: Callable[[Index], tuple[Index, Index]]


@dataclass
class Allocation:
    """Where a storage is, and what has to be given back when it dies; `is_own` memory can be handed over."""

    view: View
    buffers: list[Buffer] = field(default_factory=list)
    raw: list[ir.Value] = field(default_factory=list)
    is_own: bool = False


Rule = Callable[["Emitter", Node], None]
PartRule = Callable[["Emitter", Node, int], View]
CHEAP = (
    "arith.index",
    "arith.addi",
    "arith.subi",
    "arith.muli",
    "arith.min",
    "arith.max",
    "arith.cmpi",
    "arith.select",
)


class Emitter:
    """Lowers the operations of one function.

    `rules` holds one function per structural operation; `part_rules` say where an operand lies inside the result.
    Of a reduction in `only`, the iterations between two indices run, of a map in `alone` the one of an index; loops in
    `run_once` have one iteration. Arrays in `starts` are to be filled by those that add to it, or not at all.
    """

    def __init__(
        self,
        function: func.FuncOp,
        plan: StoragePlan,
        builder: Builder,
        rules: Mapping[str, Rule],
        part_rules: Mapping[str, PartRule],
        options: Options,
        first_site: int,
    ) -> None:
        self.function = function
        self.name = function.name.value
        self.plan = plan
        self.builder = builder
        builder.has_launches = options.has_launches
        self.rules = rules
        self.part_rules = part_rules
        self.options = options
        self.forms: dict[Node, Schedule] = {}
        self.pool = BufferPool(builder, share=not options.sequential)
        self.env: dict[ir.Value, ir.Value | View] = {}
        self.allocations: dict[Storage, Allocation] = {}
        self.sinks: dict[Sink, View | OwnAllocation] = {}
        self.relaxed: set[Node] = set()
        self.shared_sums: set[ir.Value] = set()
        self.starts: dict[View, ir.Value] = {}
        self.only: dict[Node, tuple[Index, Index]] = {}
        self.alone: dict[Node, ir.Value] = {}
        self.run_once: list[ir.Operation] = []
        self.ways_to_add: dict[ir.Value, WayToAdd] = {}
        self.partials: dict[ir.Value, Partials] = {}
        self.built_parts: set[tuple[Node, int]] = set()
        self.parts = 0
        self.first_site = first_site
        self.sites: list[Site] = []
        self.globals: list[tuple[str, ir.MemRefType, ir.Attribute]] = []
        self.runtime_calls: dict[str, ir.FunctionType] = {}

    def schedule(self, node: Node) -> Schedule:
        """The form in which an operator runs."""
        if node not in self.forms:
            form = schedule_of(node.op)
            if form is None:
                raise OpRefused(node.op, "has no schedule; run lower-schedule before lower-loops")
            self.forms[node] = form
        return self.forms[node]

    def emit_block(self, nodes: Sequence[Node]) -> None:
        """Emits all operations but the terminator, releasing memory after its last use."""
        for node in nodes[:-1]:
            self.emit(node)

    def emit(self, node: Node) -> None:
        outer, self.builder.location = self.builder.location, node.op.location
        rule = self.rules.get(node.name)
        if rule is not None:
            rule(self, node)
        elif not is_fused(node):
            self.emit_scalar(node)
        self.builder.location = outer
        self.release_after(node)

    def forget(self, node: Node) -> None:
        """Makes the bodies of an operation ready to be emitted once more."""
        self._forget_results(node)
        inside = [storage for storage in self.allocations if storage.home is not node and node.contains(storage.home)]
        for storage in inside:
            del self.allocations[storage]
        self.built_parts = {key for key in self.built_parts if key[0] is node or not node.contains(key[0])}

    def _forget_results(self, node: Node) -> None:
        for region in node.regions:
            for inner in region:
                for result in inner.results:
                    self.env.pop(result, None)
                self._forget_results(inner)

    def next_part(self) -> int:
        """The number of the next function that threads run."""
        self.parts += 1
        return self.parts - 1

    def release_after(self, node: Node) -> None:
        """Gives back the memory of storages that nothing uses after `node`."""
        for storage in self.plan.deaths.get(node, ()):
            place = self.allocations.get(storage)
            if place is not None:
                for buffer in place.buffers:
                    self.pool.release(buffer)
                for value in place.raw:
                    self.pool.free_raw(value)

    def emit_scalar(self, node: Node) -> None:
        """Copies a pure scalar operation, out of every loop that does not change its operands.

        A product that is fused into a sum is copied with it, so that both stay in one block.
        """
        if node.results[0] in self.env:
            return
        if node.name == "arith.constant":
            result = self.builder.constant(node.results[0].type, node.op.attributes["value"])
            self.env[node.results[0]] = result
            return
        definition = self.plan.tree.definition
        products = [definition[value] for value in node.operands if value in definition and is_fused(definition[value])]
        results = [product.results[0] for product in products]
        read = [value for part in (node, *products) for value in part.operands if value not in results]
        level = self._level(node, [self.scalar(value) for value in read])
        for part in (*products, node):
            self._copy(part, level)

    def _level(self, node: Node, operands: Sequence[ir.Value]) -> int:
        if can_trap(node.op):
            return self.builder.depth
        return self.builder.pure_level(operands, leaves_branches=node.name.startswith(CHEAP))

    def _copy(self, node: Node, level: int) -> None:
        attributes = {name: node.op.attributes[name] for name in node.op.attributes}
        if node in self.relaxed:
            attributes["fastmath"] = ir.Attribute.parse("#arith.fastmath<reassoc,nsz,contract>")
        types = [result.type for result in node.results]
        operands = [self.env[operand] for operand in node.operands]
        op = self.builder.create(node.name, types, operands, attributes, level=level)
        self.env.update(zip(node.results, op.results, strict=True))

    def scalar(self, value: ir.Value) -> ir.Value:
        """The lowered form of a scalar, computed now when the program has not come to it yet."""
        found = self.env.get(value)
        if found is not None:
            return found
        if isinstance(value, ir.BlockArgument):
            raise Unavailable
        node = self.plan.tree.definition[value]
        if node.name == "tensor.dim":
            self.rules[node.name](self, node)
        elif is_scalar_op(node) and not can_trap(node.op):
            self.emit_scalar(node)
        else:
            raise Unavailable
        frame = self.builder.frames[-1]
        frame.demanded += node.results
        return self.env[value]

    def index(self, value: ir.Value) -> Index:
        """An `index` value, as a number when it is known."""
        known = constant_int(value)
        return self.scalar(value) if known is None else known

    def lowered(self, value: ir.Value) -> ir.Value | View:
        """The lowered form of any value."""
        return self.env[value] if is_array(value) else self.scalar(value)

    def add_global(self, type_: ir.MemRefType, contents: ir.Attribute) -> str:
        """Notes a constant array of the module; returns its name."""
        name = f"{self.name}_constant_{len(self.globals)}"
        self.globals.append((name, type_, contents))
        return name

    def end_region(self) -> Frame:
        """Leaves the current region; values computed on demand inside it are forgotten."""
        frame = self.builder.pop()
        for value in frame.demanded:
            lowered = self.env.get(value)
            if isinstance(lowered, ir.Value) and self.builder.level(lowered) > self.builder.depth:
                del self.env[value]
        self.pool.leave_inner(frame)
        return frame

    def view(self, value: ir.Value) -> View:
        """Where an array is."""
        return self.env[value]


def array_type(value: ir.Value) -> ir.RankedTensorType:
    """The tensor type of an array or of the array behind an accumulator."""
    type_ = value.type
    return type_ if isinstance(type_, ir.RankedTensorType) else type_.tensor


def memref_type(value: ir.Value) -> ir.MemRefType:
    """The type of a buffer for an array."""
    type_ = array_type(value)
    return ir.MemRefType.get(type_.shape, type_.element_type)
