"""Second-order operators: `tl.map`, `tl.reduce`, `tl.scan`, `tl.hist`, `tl.scatter`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.dialects.groups import SEGMENTS
from tapeless.errors import ShapeMismatch, TypeMismatch
from tapeless.frontend.arrays import whole_arrays
from tapeless.frontend.control import joins
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.indexing import insertion
from tapeless.frontend.operators import combining, folds, mapping
from tapeless.frontend.values import integers
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Scalar, Tuple, Value, describe
from tapeless.types import i64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def map_(t: Translator, f: Value, *values: Value) -> Value:
    """`tl.map(f, *arrays)`."""
    operands = _arrays(t, values, "map")
    return mapping.map_rows(t, operands, lambda elements: t.call(f, elements))


def _arrays(t: Translator, values: Sequence[Value], name: str) -> list[Array]:
    if not values:
        raise t.error(f"tl.{name} needs at least one array", f"give tl.{name} the arrays to work on")
    return [t.array(value, f"an argument of tl.{name}") for value in values]


def _packed(results: Sequence[Value], operands: Sequence[Array]) -> Value:
    return results[0] if len(operands) == 1 else Tuple(tuple(results))


def reduce(t: Translator, op: Value, neutral: Value, *values: Value) -> Value:
    """`tl.reduce(op, neutral, *arrays)`."""
    operands = _arrays(t, values, "reduce")
    width = mapping.common_width(t, operands)
    combine = combining.operator(t, op, neutral, operands)
    inputs = [array.ssa for array in combine.converted(t, operands)]
    operation = folds.reduction(t, "soac.reduce", width, inputs, combine.neutral, combine.block, combine.types(t))
    results = iter(list(operation.results))
    return _packed([joins.rebuild(t, form, results) for form in combine.forms], operands)


def scan(t: Translator, op: Value, neutral: Value, *values: Value, exclusive: Value, reverse: Value) -> Value:
    """`tl.scan(op, neutral, *arrays)`."""
    operands = _arrays(t, values, "scan")
    width = mapping.common_width(t, operands)
    combine = combining.operator(t, op, neutral, operands)
    inputs = combine.converted(t, operands)
    flags = {
        name: ir.BoolAttr.get(t.flag(value, name)) for name, value in (("exclusive", exclusive), ("reverse", reverse))
    }
    types = [array.ssa.type for array in inputs]
    operation = folds.reduction(
        t, "soac.scan", width, [array.ssa for array in inputs], combine.neutral, combine.block, types, flags
    )
    pairs = zip(inputs, operation.results, strict=True)
    return _packed([Array(array.dtype, array.dims, ssa) for array, ssa in pairs], operands)


def hist(t: Translator, op: Value, neutral: Value, dest: Value, keys: Value, values: Value) -> Value:
    """`tl.hist(op, neutral, dest, keys, values)`."""
    dests, contributions = (_group(t, each) for each in (dest, values))
    if len(dests) != len(contributions):
        raise t.error(
            f"{len(dests)} destinations for {len(contributions)} values", "give as many of both", TypeMismatch
        )
    for each, part in zip(dests, contributions, strict=True):
        _check_rows(t, each, part)
    names = _keys(t, keys)
    width = mapping.common_width(t, [names, *contributions])
    mapping.common_width(t, dests)
    combine = combining.operator(t, op, neutral, contributions)
    places, inputs = combine.converted(t, dests), combine.converted(t, contributions)
    operands = [integers.index_value(t.builder, width), names.ssa]
    operands += [array.ssa for array in (*places, *inputs)] + combine.neutral
    segments = [1, 1, len(places), len(inputs), len(combine.neutral)]
    attributes = {SEGMENTS: ir.DenseI32ArrayAttr.get(segments)}
    types = [array.ssa.type for array in places]
    operation = t.builder.operation("soac.hist", types, operands, attributes, regions=1)
    t.builder.attach(operation, combine.block)
    pairs = zip(places, operation.results, strict=True)
    return _packed([Array(array.dtype, array.dims, ssa) for array, ssa in pairs], places)


def _group(t: Translator, value: Value) -> list[Array]:
    items = value.items if isinstance(value, Tuple) else (value,)
    return [t.array(item, "an argument of tl.hist") for item in items]


def _check_rows(t: Translator, dest: Array, values: Array) -> None:
    if dest.rank != values.rank:
        raise t.error(
            f"values of rank {values.rank} for a destination of rank {dest.rank}",
            "use arrays of one rank",
            ShapeMismatch,
        )
    for axis in range(1, dest.rank):
        broadcasting.same_size(t, dest.dims[axis], values.dims[axis], axis)


def _keys(t: Translator, keys: Value) -> Array:
    array = t.array(keys, "the keys")
    if array.rank != 1 or not array.dtype.is_int:
        raise t.error(f"the keys are {describe(array)}", "use a rank-1 array of integers", TypeMismatch)
    return t.array(whole_arrays.converted(t, array, i64)) if array.dtype.is_unsigned else array


def scatter(t: Translator, dest: Value, keys: Value, values: Value) -> Array:
    """`tl.scatter(dest, keys, values)`; a scalar is written at every key."""
    place, names = t.array(dest, "the destination"), _keys(t, keys)
    number = t.number(values, "the values")
    insertion.check_storable(t, number, place)
    dims: tuple[Affine, ...] = (names.dims[0], *place.dims[1:])
    if isinstance(number, Scalar):
        number = whole_arrays.filled(t, dims, number, place.dtype)
    part = t.array(whole_arrays.converted(t, number, place.dtype))
    _check_rows(t, place, part)
    width = mapping.common_width(t, [names, part])
    rows = broadcasting.with_static_sizes(t, part.ssa, (part.dims[0], *place.dims[1:]))
    operands = [integers.index_value(t.builder, width), place.ssa, names.ssa, rows]
    return Array(place.dtype, place.dims, t.builder.value("soac.scatter", place.ssa.type, operands))
