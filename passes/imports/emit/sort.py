"""Arrays brought into the order of keys: a permutation for each line along an axis, by which all arrays are read."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, tensor
from tapeless.dialects import soac
from tapeless.dialects.array_types import array_type
from tapeless.passes.imports.emit import scalars
from tapeless.passes.imports.emit.layout import transposed
from tapeless.passes.imports.emit.lazy import Value, in_memory, shape_of
from tapeless.passes.imports.emit.open_sizes import agreed
from tapeless.passes.ir.build import dim, elementwise, map_, mapped, number

PLAIN, TOTAL, BITS, UNSIGNED = "plain", "total", "bits", "unsigned"
"""Orders: NaN last or anywhere; -0 and 0 as one and every NaN last; as bits of floats say; integers without a sign."""


def sort(values: Sequence[Value], axis: int, keys: Sequence[tuple[int, str, bool]]) -> list[Value]:
    """Arrays of equal shape sorted together, stably, along an axis.

    `keys` names arrays, the first to compare first, each with the order of its numbers and whether it goes down.
    """
    agreed([shape_of(value) for value in values])
    arrays = [in_memory(value) for value in values]
    rank = arrays[0].type.rank
    order = [*(k for k in range(rank) if k != axis), axis]
    moved = [transposed(array, order) for array in arrays]
    back = [order.index(k) for k in range(rank)]
    return [transposed(array, back) for array in _sorted(moved, keys)]


def _sorted(arrays: Sequence[ir.Value], keys: Sequence[tuple[int, str, bool]]) -> list[ir.Value]:
    if arrays[0].type.rank > 1:
        return map_(dim(arrays[0], 0), arrays, [], lambda _, rows, __: (_sorted(rows, keys), []))[0]
    permutation: ir.Value | None = None
    for position, order, descending in reversed(keys):
        column = arrays[position] if permutation is None else _picked(arrays[position], permutation)
        found = _permutation(column, order, descending)
        permutation = found if permutation is None else _picked(permutation, found)
    assert permutation is not None
    return [_picked(array, permutation) for array in arrays]


def _permutation(column: ir.Value, order: str, descending: bool) -> ir.Value:
    """The places from which the elements of a sorted vector come."""
    prepared = elementwise(lambda value: _key(value, order, descending), column)
    return soac.ArgsortOp(prepared, array_type(column.type.shape, ir.IntegerType.get_signless(64))).out


def _key(value: ir.Value, order: str, descending: bool) -> ir.Value:
    """A sort key: a number that is larger for later elements."""
    if order == UNSIGNED:
        value = arith.XOrIOp(value, number(value.type, -(2 ** (value.type.width - 1)))).result
    elif scalars.is_bool(value):
        value = arith.ExtUIOp(ir.IntegerType.get_signless(32), value).result
    if scalars.is_float(value):
        if order == PLAIN or (order == TOTAL and not descending):
            return scalars.negate(value) if descending else value
        value = scalars.in_order(_canonical(value) if order == TOTAL else value)
    return scalars.logical_not(value) if descending else value


def _canonical(value: ir.Value) -> ir.Value:
    """The float with 0 for -0, and one NaN for all."""
    zero = number(value.type, 0.0)
    plain = scalars.select(scalars.compare_floats("eq", value, zero), zero, value)
    return scalars.select(scalars.compare_floats("ne", value, value), number(value.type, float("nan")), plain)


def _picked(array: ir.Value, permutation: ir.Value) -> ir.Value:
    """The elements of a vector at places."""

    def read(place: ir.Value) -> ir.Value:
        at = arith.IndexCastOp(ir.IndexType.get(), place).result
        return tensor.ExtractOp(array, [at]).result

    return mapped(dim(permutation, 0), [permutation], read)
