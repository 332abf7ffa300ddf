"""Value numbering of loop bodies: equal computations have one number, also in another loop.

An array that a nest of maps makes has the number of its elements in the nest: `x` and the `x` of each iteration of a
map over arrays of that shape are one. What depends on the loop's own adjoints, or has effects, has no number.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import field

from tapeless._mlir import ir
from tapeless.computed_once import computed_once
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.places.slices import slice_fields
from tapeless.passes.ir.regions.structure import STRUCTURES
from tapeless.passes.ir.scopes import is_available, outer_values
from tapeless.passes.ir.sizes.expressions import Size
from tapeless.passes.ir.sizes.shapes import size_of
from tapeless.passes.soac.cut.histories import READS, is_whole_row
from tapeless.passes.soac.cut.nests import MapNest

PURE_DIALECTS = frozenset({"arith", "math", "tensor"})
PURE = frozenset(
    {
        *("soac.fn", "soac.guard", "soac.transpose", "soac.reverse", "soac.argsort", "soac.scatter"),
        *("soac.yield", "scf.yield"),
    }
)
# They may not end, or stand for code of other methods.
NOT_REPEATED = frozenset({"scf.while", "rev.retrace", "ad.checkpoint", "soac.with_acc"})


@dataclass(frozen=True)
class Node:
    """A numbered value: whether rows decide it, its operands, its sizes, and its type if it can be stored.

    The shape are these sizes, or a value that has them.
    """

    moves: bool
    operands: tuple[int, ...]
    shape: tuple[Size, ...] | ir.Value
    type: ir.Type | None

    @computed_once
    def sizes(self) -> tuple[Size, ...]:
        """The sizes, found when they are asked for."""
        if isinstance(self.shape, tuple):
            return self.shape
        return tuple(size_of(self.shape, axis) for axis in range(self.shape.type.rank))


@dataclass
class Table:
    """Nodes by their number, and numbers by their computation."""

    nodes: list[Node] = field(default_factory=list)
    known: dict[Hashable, int] = field(default_factory=dict)

    def number(self, key: Hashable, node: Node) -> int:
        """The number of the computation that the key describes."""
        if key not in self.known:
            self.known[key] = len(self.nodes)
            self.nodes.append(node)
        return self.known[key]


@dataclass
class Numbers:
    """The numbers of a loop's values: `wanted` are those that something without a number looks at.

    `rows` has the number of the row of each history that the loop reads from.
    """

    table: Table
    loop: ir.OpView
    before: ir.InsertionPoint
    rows: dict[ir.Value, int] = field(default_factory=dict)
    of: dict[ir.Value, int] = field(default_factory=dict)
    wanted: dict[int, None] = field(default_factory=dict)
    nests: list[MapNest] = field(default_factory=list)

    def of_storing(self, stored: Sequence[ir.Value], position: ir.Value) -> list[int]:
        """Numbers all in the loop that stores these values in rows of a number; gives the numbers of the rows."""
        self._at(position)
        rows = [self.table.number(("row", k), self._stored(True, (), value)) for k, value in enumerate(stored)]
        self.of.update(zip(stored, rows, strict=True))
        self._block(self.loop.regions[0].blocks[0])
        return rows

    def of_reading(self, histories: Mapping[ir.Value, int], row: ir.Value) -> None:
        """Numbers all in the loop that reads rows, whose numbers are given for each history."""
        self._at(row)
        self.rows.update(histories)
        self._block(self.loop.regions[0].blocks[0])

    def own(self) -> dict[int, ir.Value]:
        """The first value of each number that the loop computes outside of nests."""
        block = self.loop.regions[0].blocks[0]
        found: dict[int, ir.Value] = {}
        for value, number in self.of.items():
            if isinstance(value, ir.OpResult) and value.owner.operation.block == block:
                found.setdefault(number, value)
        return found

    def _at(self, position: ir.Value) -> None:
        self.of[position] = self.table.number("position", Node(False, (), (), position.type))

    def _block(self, block: ir.Block) -> None:
        for op in block.operations:
            if all(result in self.of for result in op.results) and len(op.results):
                continue
            nest = MapNest.of(op)
            if nest is not None:
                self._nest(nest)
            elif op.operation.name == "soac.with_acc":
                self._want(op.operands)
                self._block(op.regions[0].blocks[0])
            else:
                self._operation(op, ())

    def _nest(self, nest: MapNest) -> None:
        self.nests.append(nest)
        for level, op in enumerate(nest.levels):
            index = op.regions[0].blocks[0].arguments[0]
            self.of[index] = self.table.number(("index", level, nest.widths), Node(False, (), nest.widths, index.type))
        for argument, element in nest.elements():
            number = self._number(element.array)
            if number is None:
                continue
            if nest.is_element(element):
                self.of[argument] = number
            else:
                part = ("part", number, element.levels, nest.widths)
                node = self.table.nodes[number]
                self.of[argument] = self.table.number(part, Node(node.moves, (number,), nest.widths, None))
        for op in list(nest.body.operations)[:-1]:
            self._operation(op, nest.widths)
        inside = nest.body
        for result, value in nest.made():
            if (number := self._number(value)) is not None:
                is_own = isinstance(value, ir.OpResult) and value.owner.operation.block == inside
                if not is_own and self.table.nodes[number].sizes != nest.widths:
                    key = ("filled", number, nest.widths)
                    node = self.table.nodes[number]
                    number = self.table.number(key, Node(node.moves, (number,), nest.widths, node.type))
                self.of[result] = number

    def _operation(self, op: ir.OpView, widths: tuple[Size, ...]) -> None:
        """Numbers the results of an operation of the loop's body, or of a nest's."""
        if op.operation.name in READS and op.operands[0] in self.rows and is_whole_row(op):
            self.of[op.results[0]] = self.rows[op.operands[0]]
            return
        used = list(op.operands) if len(op.regions) == 0 else list(dict.fromkeys(outer_values(op)))
        numbers = [self._number(value) for value in used]
        if op.operation.name in READS and op.operands[0] in self.rows:
            numbers[0] = self.rows[op.operands[0]]
        if None in numbers or not len(op.results) or not is_pure(op):
            self._want(used)
            return
        operands = tuple(number for number in numbers if number is not None)
        moves = any(self.table.nodes[number].moves for number in operands)
        for result in op.results:
            if len(op.regions):
                key: Hashable = ("regions", result)
            elif op.operation.name in READS:
                key = (op.operation.name, operands[0], self._indices(op), widths, result.type)
            else:
                attributes = tuple((name, op.attributes[name]) for name in op.attributes)
                key = (op.operation.name, attributes, operands, widths, result.result_number, result.type)
            node = Node(moves, operands, widths, result.type) if widths else self._stored(moves, operands, result)
            self.of[result] = self.table.number(key, node)

    def _indices(self, op: ir.OpView) -> Hashable:
        """Where an array is read, without the number of the row if that is a history."""
        first = 1 if op.operands[0] in self.rows else 0
        fields = [list(op.operands)[1:]] if op.operation.name == "tensor.extract" else slice_fields(op)
        numbers = [tuple(each if isinstance(each, int) else (self.of[each],) for each in group) for group in fields]
        return tuple(group[first:] for group in numbers)

    def _number(self, value: ir.Value) -> int | None:
        """The number of a value; one from outside has one if it is there before the loops."""
        if value not in self.of and is_available(value, self.before):
            constant = None if isinstance(value, ir.BlockArgument) else _constant(value)
            self.of[value] = self.table.number(constant or ("outside", value), self._stored(False, (), value))
        return self.of.get(value)

    def _stored(self, moves: bool, operands: tuple[int, ...], value: ir.Value) -> Node:
        if not isinstance(value.type, ir.RankedTensorType):
            return Node(moves, operands, (), value.type)
        return Node(moves, operands, value, value.type.element_type)

    def _want(self, values: Sequence[ir.Value]) -> None:
        for value in values:
            number = self.rows.get(value, self._number(value))
            if number is not None:
                self.wanted[number] = None


def is_pure(op: ir.OpView) -> bool:
    """Whether an operation, with everything in it, may be repeated in the loop that ran before."""
    name = op.operation.name
    if name in NOT_REPEATED or not (name in PURE or name in STRUCTURES or name.split(".")[0] in PURE_DIALECTS):
        return False
    return all(is_pure(inner) for region in op.regions for block in region.blocks for inner in block.operations)


def _constant(value: ir.Value) -> Hashable | None:
    op = value.owner
    return ("constant", value.type, op.attributes["value"]) if op.operation.name == "arith.constant" else None
