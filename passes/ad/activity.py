"""Which values matter to a derivative: floats that depend on an input and that an output depends on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from tapeless._mlir import ir
from tapeless.dialects import soac
from tapeless.passes.ad.segmented import body_of_segment, is_segment, yielded_by
from tapeless.passes.ir.build import element_type
from tapeless.passes.ir.regions.slots import Slot, argument_at, slots_of
from tapeless.passes.ir.regions.structure import STRUCTURES

STOPS = ("ad.stop_gradient",)
Edge = tuple[ir.Value, ir.Value]


def is_float(type_: ir.Type) -> bool:
    """Whether values of this type carry derivatives: floats, arrays of floats, accumulators of them."""
    if isinstance(type_, soac.AccType):
        type_ = type_.tensor
    return isinstance(element_type(type_), ir.F64Type | ir.F32Type)


def flows(op: ir.OpView) -> Iterator[Edge]:
    """The value pairs (source, target) along which `op`, which has regions, passes values in and out of them."""
    if is_segment(op):
        yield from zip(op.operation.operands, body_of_segment(op).arguments, strict=True)
        yield from zip(yielded_by(op), op.operation.results, strict=True)
        return
    if op.operation.name not in STRUCTURES:
        yield from _unknown(op)
        return
    for slot in slots_of(op):
        yield from FLOWS.get(slot.family, _met)(op, slot)


class Activity:
    """The active values of one function: varied by its inputs and useful for its outputs."""

    def __init__(
        self,
        block: ir.Block,
        inputs: Iterable[ir.Value],
        outputs: Iterable[ir.Value],
        edges: Sequence[Edge] | None = None,
    ) -> None:
        edges = edges_of(block) if edges is None else edges
        useful = reached(outputs, ((target, source) for source, target in edges))
        self._active = reached(inputs, edges) & useful
        self._free: dict[ir.Value, list[ir.Value]] = {}

    def __contains__(self, value: ir.Value) -> bool:
        return value in self._active and is_float(value.type)

    def any(self, values: Iterable[ir.Value]) -> bool:
        """Whether one of the values is active."""
        return any(value in self for value in values)

    def free_in(self, op: ir.OpView) -> list[ir.Value]:
        """The active values from outside that the regions of `op` read, each once, those of its own blocks first.

        They are found once for every operation in a nest, from those of the operations inside.
        """
        results = op.operation.results
        if len(results) and results[0] in self._free:
            return self._free[results[0]]
        inside: set[ir.Value] = set()
        found: dict[ir.Value, None] = {}
        for region in op.operation.regions:
            for block in region.blocks:
                inside.update(block.arguments)
                operations = list(block.operations)
                for inner in operations:
                    inside.update(inner.operation.results)
                    found.update((operand, None) for operand in inner.operation.operands if operand in self)
                for inner in operations:
                    if len(inner.operation.regions):
                        found.update(dict.fromkeys(self.free_in(inner)))
        free = [value for value in found if value not in inside]
        if len(results):
            self._free[results[0]] = free
        return free


def edges_of(block: ir.Block) -> list[Edge]:
    """Every pair (source, target) of a function's values such that a derivative may flow from source to target."""
    return list(_edges(block))


def _edges(block: ir.Block) -> Iterator[Edge]:
    pending = [block]
    while pending:
        for op in pending.pop().operations:
            if op.operation.name in STOPS:
                continue
            if len(op.operation.regions) == 0:
                for operand in op.operation.operands:
                    if is_float(operand.type):
                        yield from ((operand, result) for result in op.operation.results if is_float(result.type))
            else:
                yield from flows(op)
                pending += [inner for region in op.operation.regions for inner in region.blocks]


def reached(start: Iterable[ir.Value], edges: Iterable[Edge]) -> set[ir.Value]:
    """The values that can be reached from some along edges (source, target)."""
    targets: dict[ir.Value, list[ir.Value]] = {}
    for source, target in edges:
        targets.setdefault(source, []).append(target)
    seen = set(start)
    waiting = list(seen)
    while waiting:
        for target in targets.get(waiting.pop(), ()):
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return seen


def _unknown(op: ir.OpView) -> Iterator[Edge]:
    """Anything may go anywhere in an operation of which nothing is known: if it matters, it is refused later."""
    blocks = [block for region in op.operation.regions for block in region.blocks]
    ends = [list(block.operations)[-1].operation for block in blocks if len(block.operations)]
    sources = [*op.operation.operands, *(value for end in ends for value in end.operands)]
    yield from product(sources, [*op.operation.results, *(value for block in blocks for value in block.arguments)])


def _carried(op: ir.OpView, slot: Slot) -> Iterator[Edge]:
    """A carried value comes from the start or from the iteration before, and the last one is the result."""
    arguments = [argument_at(op, place) for place in slot.arguments]
    yield from product(slot.sources(op), arguments)
    yield from product(arguments, (op.operation.results[k] for k in slot.results))


def _accumulated(op: ir.OpView, slot: Slot) -> Iterator[Edge]:
    """Iterations add to their accumulators without seeing the sums of others."""
    yield from zip(slot.sources(op), slot.targets(op), strict=True)


def _met(op: ir.OpView, slot: Slot) -> Iterator[Edge]:
    """Operands and yielded values may meet on either side of an operator, or come out."""
    yield from product(slot.sources(op), slot.targets(op))


FLOWS = {"carried": _carried, "states": _carried, "accs": _accumulated}
