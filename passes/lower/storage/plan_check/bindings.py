"""What views show of arrays, and what the arguments of bodies are bound to."""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import ir
from tapeless.passes.ir.places.slices import remaining_axes, slice_fields
from tapeless.passes.lower.storage.aliasing import operator_arguments
from tapeless.passes.lower.storage.plan_check.affine import Affine, Key, affine, single
from tapeless.passes.lower.storage.plan_check.iterations import iteration
from tapeless.passes.lower.storage.plan_check.places import Range, Rearrangement, Selection, Spot
from tapeless.passes.lower.storage.tree import Node

VIEWS = frozenset(
    {"tensor.extract_slice", "tensor.reshape", "soac.transpose", "soac.reverse", "tensor.cast", "soac.widen"}
)


def viewed(node: Node, spot: Spot) -> Spot:
    """What a view shows of an array."""
    if node.name in ("tensor.cast", "soac.widen"):
        return spot
    if node.name == "tensor.extract_slice":
        return spot.then(slice_step(node))
    if node.name == "tensor.reshape":
        return spot.then(Rearrangement(node))
    details = node.op.permutation if node.name == "soac.transpose" else node.op.axis
    return spot.then(Rearrangement((node.name, str(details))))


def slice_step(node: Node) -> Selection:
    """The elements that a slice operation names; one element has no stride."""
    ranges = [
        Range(affine(offset), affine(size), affine(1 if isinstance(size, int) and size == 1 else stride))
        for offset, size, stride in zip(*slice_fields(node.op), strict=True)
    ]
    return Selection(tuple(ranges), tuple(remaining_axes(node.op)))


def key_of(node: Node) -> Affine:
    """The bin that an iteration of a histogram or a scatter writes."""
    return single(Key(node))


Behind = tuple[ir.Value, Callable[[Spot], Spot]]


def _row(node: Node, array: ir.Value) -> Behind:
    return array, lambda spot: spot.at(iteration(node))


def _element_of_map(node: Node, value: ir.Value) -> Behind | None:
    number, inputs = value.arg_number - 1, list(node.op.inputs)
    return _row(node, inputs[number]) if number < len(inputs) else None


def _element_of_operator(node: Node, value: ir.Value) -> Behind | None:
    elements = operator_arguments(node, 0)[1]
    return _row(node, node.op.inputs[elements.index(value)]) if value in elements else None


def _element_of_fused(node: Node, value: ir.Value) -> Behind | None:
    """An element of an input, or what the first region made of it."""
    if value in node.arguments():
        return _row(node, node.op.inputs[value.arg_number - 1])
    region = next(k for k in (1, 2) if node.regions[k] and value in node.arguments(k))
    elements = operator_arguments(node, region)[1]
    if value not in elements:
        return None
    first = 0 if region == 1 else len(node.op.reduce_neutral)
    return node.terminator.operands[first + elements.index(value)], lambda spot: spot


def _element_of_hist(node: Node, value: ir.Value) -> Behind | None:
    """The bin at hand, or an element of the values."""
    count = len(node.op.dests)
    if value.arg_number >= count:
        return _row(node, node.op.values[value.arg_number - count])
    return node.results[value.arg_number], lambda spot: spot.at(key_of(node))


def _element_of_fused_hist(node: Node, value: ir.Value) -> Behind | None:
    return _row(node, node.op.inputs[value.arg_number - 1]) if value in node.arguments() else None


def _handed_on(node: Node, value: ir.Value) -> Behind | None:
    """What the condition of `scf.while` hands on unchanged has two names."""
    if value in node.arguments(0):
        return None
    forwarded = node.regions[0][-1].operands[1 + value.arg_number]
    return (forwarded, lambda spot: spot) if forwarded in node.arguments(0) else None


ARGUMENTS: dict[str, Callable[[Node, ir.Value], Behind | None]] = {
    "soac.map": _element_of_map,
    "soac.reduce": _element_of_operator,
    "soac.scan": _element_of_operator,
    "soac.fused": _element_of_fused,
    "soac.hist": _element_of_hist,
    "soac.fused_hist": _element_of_fused_hist,
    "scf.while": _handed_on,
}
