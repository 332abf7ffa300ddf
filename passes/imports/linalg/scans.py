"""Reductions over windows that end, or begin, with each element: running sums, which are scans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tapeless._mlir import ir
from tapeless.passes.imports.emit.layout import transposed
from tapeless.passes.imports.emit.reductions import running
from tapeless.passes.imports.linalg.bodies import Body, Combination, Operator
from tapeless.passes.imports.linalg.rebuild import Rebuild
from tapeless.passes.imports.linalg.space import Map, Space

OPERATORS = {
    "arith.addf": "add",
    "arith.addi": "add",
    "arith.mulf": "multiply",
    "arith.muli": "multiply",
    "arith.maximumf": "maximum",
    "arith.maxsi": "maximum",
    "arith.minimumf": "minimum",
    "arith.minsi": "minimum",
}


class Window(NamedTuple):
    """The axis of an operand whose index is the sum of a dimension of results and one that is reduced."""

    axis: int
    dims: list[int]


class Source(NamedTuple):
    """A structured operation of the source."""

    body: Body
    space: Space
    maps: Sequence[Map]


def scan(
    rebuild: Rebuild,
    source: Source,
    order: Sequence[int],
    combination: Combination,
    old: ir.Value,
    map_: Map,
) -> ir.Value | None:
    """The running results of the only operand that is read, `old` in the source; None if it is no running one."""
    space, operator = source.space, combination.operator
    window, padding = _window(map_, space.reduced), rebuild.producer(old, "tensor.pad")
    name = OPERATORS.get(operator.name)
    if window is None or padding is None or name is None or combination.term not in source.body.inputs:
        return None
    array, dims = rebuild.values[padding.operands[0]], window.dims
    if not array.type.has_static_shape or sorted(dims) != sorted(order):
        return None
    length = array.type.shape[window.axis]
    low, high = _amounts(padding, window.axis)
    is_whole = space.along([dims[window.axis], space.reduced[0]]) == [length, length]
    is_one_sided = (low, high) in ((length - 1, 0), (0, length - 1))
    if not (is_whole and is_one_sided and _changes_nothing(rebuild, padding, operator)):
        return None
    made = running(array, window.axis, name, backwards=low == 0 and length > 1)
    return transposed(made, [dims.index(each) for each in order])


def _window(map_: Map, reduced: Sequence[int]) -> Window | None:
    """The window of a map, if all other axes run along dimensions of results alone."""
    if len(reduced) != 1:
        return None
    dims: list[int] = []
    windows: list[int] = []
    for axis, expression in enumerate(map_):
        rest = [each for each in expression.terms if each not in reduced]
        if len(rest) != 1 or expression.constant or any(by != 1 for by in expression.terms.values()):
            return None
        dims.append(rest[0])
        windows += [axis] if len(expression.terms) == 2 else []
    return Window(windows[0], dims) if len(windows) == 1 and len(set(dims)) == len(dims) else None


def _amounts(padding: ir.Operation, axis: int) -> tuple[int, int]:
    """The numbers of elements before and behind an axis, or -1 if there are others or some that are not known."""
    low, high = (list(padding.attributes[name]) for name in ("static_low", "static_high"))
    others = [amount for at, pair in enumerate(zip(low, high, strict=True)) if at != axis for amount in pair]
    return (-1, -1) if any(others) else (low[axis], high[axis])


def _changes_nothing(rebuild: Rebuild, padding: ir.Operation, operator: Operator) -> bool:
    """Whether elements around an array are the number that an operator does not see."""
    block = padding.regions[0].blocks[0]
    value = block.operations[len(block.operations) - 1].operands[0]
    return value in rebuild.values and operator.is_neutral(rebuild.values[value])
