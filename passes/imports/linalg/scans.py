"""Reductions over windows that end, or begin, with each element: running sums, which are scans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tapeless._mlir import ir
from tapeless.passes.imports.emit.lazy import transposed
from tapeless.passes.imports.emit.reductions import running
from tapeless.passes.imports.linalg.bodies import Combination, Operator
from tapeless.passes.imports.linalg.maps import Linear
from tapeless.passes.imports.linalg.nests import Nest
from tapeless.passes.ir.build import is_array

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


def scan(
    nest: Nest, order: Sequence[int], combinations: Sequence[Combination], old: ir.Value, map_: Sequence[Linear]
) -> ir.Value | None:
    """The running results of the only operand that is read, `old` in the source; None if it is no running one."""
    combination = combinations[0]
    window = _window(map_, nest.space.reduced)
    if window is None or len(combinations) > 1 or combination.term not in nest.body.inputs:
        return None
    operator = combination.operator
    padding = nest.rebuild.producer(old, "tensor.pad")
    name = OPERATORS.get(operator.name)
    if padding is None or name is None or not nest.space.reduced:
        return None
    source = nest.rebuild.values[padding.operands[0]]
    if not is_array(source) or source.type.is_dynamic_dim(window.axis):
        return None
    length, dims = source.type.shape[window.axis], window.dims
    low, high = _amounts(padding, window.axis)
    is_whole = (nest.space.sizes[dims[window.axis]], nest.space.sizes[nest.space.reduced[0]]) == (length, length)
    if not is_whole or (low, high) not in ((length - 1, 0), (0, length - 1)) or not _fills(nest, padding, operator):
        return None
    if not source.type.has_static_shape or sorted(dims) != sorted(order):
        return None
    made = running(source, window.axis, name, backwards=low == 0 and length > 1)
    return transposed(made, [dims.index(each) for each in order])


def _window(map_: Sequence[Linear], reduced: Sequence[int]) -> Window | None:
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


def _fills(nest: Nest, padding: ir.Operation, operator: Operator) -> bool:
    """Whether a padding changes nothing."""
    block = padding.regions[0].blocks[0]
    value = block.operations[len(block.operations) - 1].operands[0]
    return value in nest.rebuild.values and operator.is_neutral(nest.rebuild.values[value])
