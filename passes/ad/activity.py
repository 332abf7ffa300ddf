"""Which values matter to a derivative: floats that depend on an input and that an output depends on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from tapeless._mlir import ir
from tapeless.dialects import soac
from tapeless.passes.ir.build import element_type

STOPS = ("ad.stop_gradient",)
Edge = tuple[ir.Value, ir.Value]


def is_float(type_: ir.Type) -> bool:
    """Whether values of this type carry derivatives: floats, arrays of floats, accumulators of them."""
    if isinstance(type_, soac.AccType):
        type_ = type_.tensor
    return isinstance(element_type(type_), ir.F64Type | ir.F32Type)


def flows(op: ir.OpView) -> Iterator[Edge]:
    """The value pairs (source, target) along which `op` passes values in or out of its regions, besides its results."""
    return FLOWS.get(op.operation.name, _no_flows)(op)


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

    def __contains__(self, value: ir.Value) -> bool:
        return value in self._active and is_float(value.type)

    def any(self, values: Iterable[ir.Value]) -> bool:
        """Whether one of the values is active."""
        return any(value in self for value in values)


def edges_of(block: ir.Block) -> list[Edge]:
    """Every pair (source, target) of a function's values such that a derivative may flow from source to target."""
    return list(_edges(block))


def _edges(block: ir.Block) -> Iterator[Edge]:
    for op in block.operations:
        if op.operation.name in STOPS:
            continue
        if len(op.operation.regions) == 0:
            for operand in op.operation.operands:
                if is_float(operand.type):
                    yield from ((operand, result) for result in op.operation.results if is_float(result.type))
        yield from flows(op)
        for region in op.operation.regions:
            for inner in region.blocks:
                yield from _edges(inner)


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


def _no_flows(op: ir.OpView) -> Iterator[Edge]:
    return iter(())


def _yielded(region: ir.Region) -> list[ir.Value]:
    return list(region.blocks[0].operations[-1].operation.operands)


def _map_flows(op: ir.OpView) -> Iterator[Edge]:
    yield from zip([*op.inputs, *op.accs], list(op.body.blocks[0].arguments)[1:], strict=True)
    yield from zip(_yielded(op.body), op.operation.results, strict=True)


def _operator_flows(op: ir.OpView) -> Iterator[Edge]:
    """Elements, starting values and what was combined before meet on either side of the operator."""
    arguments, yielded = list(op.combine.blocks[0].arguments), _yielded(op.combine)
    count = len(yielded)
    elements = op.values if op.operation.name == "soac.hist" else op.inputs
    starts = op.dests if op.operation.name == "soac.hist" else op.neutral
    for position, result in enumerate(op.operation.results):
        sources = elements[position], starts[position], yielded[position]
        targets = arguments[position], arguments[count + position], result
        yield from product(sources, targets)


def _with_acc_flows(op: ir.OpView) -> Iterator[Edge]:
    yield from zip(op.dests, op.body.blocks[0].arguments, strict=True)
    yield from zip(_yielded(op.body), op.operation.results, strict=True)


def _if_flows(op: ir.OpView) -> Iterator[Edge]:
    for region in op.operation.regions:
        if len(region.blocks):
            yield from zip(_yielded(region), op.operation.results, strict=True)


def _for_flows(op: ir.OpView) -> Iterator[Edge]:
    region = op.operation.regions[0]
    arguments = list(region.blocks[0].arguments)[1:]
    initial = list(op.operation.operands)[3:]
    for start, argument, again, result in zip(initial, arguments, _yielded(region), op.operation.results, strict=True):
        yield from ((start, argument), (again, argument), (argument, result))


def _while_flows(op: ir.OpView) -> Iterator[Edge]:
    before, after = op.operation.regions
    yield from zip(op.operation.operands, before.blocks[0].arguments, strict=True)
    passed = _yielded(before)[1:]
    yield from zip(passed, after.blocks[0].arguments, strict=True)
    yield from zip(passed, op.operation.results, strict=True)
    yield from zip(_yielded(after), before.blocks[0].arguments, strict=True)


def _region_flows(op: ir.OpView) -> Iterator[Edge]:
    yield from zip(_yielded(op.body), op.operation.results, strict=True)


FLOWS = {
    "ad.checkpoint": _region_flows,
    "soac.map": _map_flows,
    "soac.reduce": _operator_flows,
    "soac.scan": _operator_flows,
    "soac.hist": _operator_flows,
    "soac.with_acc": _with_acc_flows,
    "scf.if": _if_flows,
    "scf.for": _for_flows,
    "scf.while": _while_flows,
}
