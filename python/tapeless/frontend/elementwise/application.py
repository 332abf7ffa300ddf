"""Scalar functions applied to numbers and, element by element, to arrays.

Array results stay pending, so that `a * x + y` becomes one nest of maps when its value is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.groups import RUNS_AT_FIRST, has_more_runs
from tapeless.frontend.elementwise import stretching
from tapeless.frontend.elementwise.nests import nest
from tapeless.frontend.values import exactness, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.promotion import Weighted
from tapeless.frontend.values.value import Array, Leaf, Number, Pending, Scalar
from tapeless.types import ScalarType, i64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

MOST_RUNS = RUNS_AT_FIRST // 2
"""How often the arrays of two expressions may change their type; one with more is computed by itself."""

Signature = tuple[tuple[ScalarType, ...], ScalarType, bool]


@dataclass(frozen=True)
class ScalarFunction:
    """A function of scalars: `types` gives operand types, result type and weakness; `emit` builds it on SSA values."""

    name: str
    types: Callable[[Sequence[Weighted], bool], Signature]
    emit: Callable[..., ir.Value]


def apply(t: Translator, function: ScalarFunction, *arguments: Number) -> Number:
    """The function of the arguments, broadcast against each other when some are arrays."""
    has_arrays = any(not isinstance(argument, Scalar) for argument in arguments)
    operand_types, result, weak = function.types([promotion.weight(argument) for argument in arguments], has_arrays)
    for taker, dtype in _taking(arguments, operand_types):
        if result.is_bool and not exactness.is_of_type(t.builder, taker, dtype):
            operand_types = (i64,) * len(operand_types)  # as in numpy, integers of any size can be compared
        elif not taker.is_constant:
            exactness.check_fits(t.builder, taker, dtype)
    if not has_arrays:
        values = [promotion.ssa(t.builder, each, dtype) for each, dtype in zip(arguments, operand_types, strict=True)]
        return promotion.from_ssa(t.builder, function.emit(t.builder, operand_types[0], *values), result, weak=weak)
    return _pending(t, function, arguments, operand_types, result)


def _taking(arguments: Sequence[Number], types: Sequence[ScalarType]) -> list[tuple[Affine, ScalarType]]:
    """The integers that take the type of integers of fewer bits which they meet, and that type."""
    narrow = [pair for pair in zip(arguments, types, strict=True) if pair[1].is_int and pair[1] != i64]
    scalars = [(each, dtype) for each, dtype in narrow if isinstance(each, Scalar) and each.weak]
    return [(each.affine, dtype) for each, dtype in scalars if each.affine is not None]


def _pending(
    t: Translator,
    function: ScalarFunction,
    arguments: Sequence[Number],
    operand_types: Sequence[ScalarType],
    result: ScalarType,
) -> Pending | Array:
    builder, location = t.builder, t.builder.location
    dims = stretching.common_dims(t, [argument for argument in arguments if not isinstance(argument, Scalar)])
    readers, leaves = [], {}
    for argument, dtype in zip(arguments, operand_types, strict=True):
        reader, used = _reader(t, argument, dtype, dims)
        readers.append(reader)
        leaves.update(dict.fromkeys(used))

    def build(elements: dict[Leaf, ir.Value]) -> ir.Value:
        operands = [reader(elements) for reader in readers]
        with builder.at(location):
            return function.emit(builder, operand_types[0], *operands)

    pending = Pending(result, dims, tuple(leaves), build)
    return force(t, pending) if has_more_runs([leaf.ssa.type for leaf in leaves], MOST_RUNS) else pending


def _reader(
    t: Translator, argument: Number, dtype: ScalarType, dims: tuple[Affine, ...]
) -> tuple[Callable[[dict[Leaf, ir.Value]], ir.Value], Sequence[Leaf]]:
    """How to get one element of an argument as an SSA value of a type, and the leaves that takes."""
    builder = t.builder
    if isinstance(argument, Scalar):
        value = promotion.ssa(builder, argument, dtype)
        return (lambda elements: value), ()
    pending = stretching.aligned(t, as_pending(argument), dims)
    build, old = pending.build, pending.dtype
    return (lambda elements: promotion.convert(builder, build(elements), old, dtype)), pending.leaves


def as_pending(array: Array | Pending) -> Pending:
    """An array as the elementwise expression that just reads it."""
    if isinstance(array, Pending):
        return array
    leaf = Leaf(array.ssa, tuple(range(array.rank)))
    return Pending(array.dtype, array.dims, (leaf,), lambda elements: elements[leaf])


def force(t: Translator, value: Number) -> Scalar | Array:
    """The value itself, computed if it is still pending."""
    if not isinstance(value, Pending):
        return value
    return Array(value.dtype, value.dims, nest(t.builder, value))
