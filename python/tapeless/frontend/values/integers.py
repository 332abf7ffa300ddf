"""Sizes and indices: affine integers as SSA values, and proofs about them here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from tapeless._mlir import ir
from tapeless.abi import LONGEST_AXIS
from tapeless.frontend.values import affine
from tapeless.frontend.values.affine import Affine, Symbol
from tapeless.frontend.values.builder import Builder

_MOST_FACTS = 64
_PREDICATES = {"eq": 0, "ne": 1, "slt": 2, "sle": 3, "sgt": 4, "sge": 5, "ult": 6, "ule": 7, "ugt": 8, "uge": 9}


def compare(builder: Builder, predicate: str, left: ir.Value, right: ir.Value) -> ir.Value:
    """An integer comparison."""
    attribute = ir.IntegerAttr.get(builder.types.i64, _PREDICATES[predicate])
    return builder.value("arith.cmpi", builder.types.i1, [left, right], {"predicate": attribute})


def is_nonnegative(builder: Builder, value: Affine) -> bool:
    """Whether `value >= 0` can be proved here."""
    return affine.is_nonnegative(value, facts_here(builder))


def facts_here(builder: Builder) -> Iterator[Affine]:
    """The newest facts, each an affine `>= 0`."""
    return islice((fact for scope in reversed(builder.scopes) for fact in reversed(scope.facts)), _MOST_FACTS)


def is_below(builder: Builder, value: Affine, limit: Affine) -> bool:
    return is_nonnegative(builder, limit - value - 1)


def assume(builder: Builder, value: Affine) -> None:
    """From here on, in this scope, `value >= 0`."""
    if not value.is_constant:
        builder.scopes[-1].facts.append(value)


def opaque(builder: Builder, value: ir.Value, lower: tuple[Affine, ...] = (), upper: tuple[Affine, ...] = ()) -> Affine:
    """An SSA integer (`i64` or `index`) as a symbol of its own."""
    return affine.of_symbol(Symbol(value, lower, upper, builder.scopes[-1].serial))


def size_of(builder: Builder, array: ir.Value, axis: int) -> Affine:
    """The size of an axis of a tensor, read from it unless its type says."""
    size = array.type.shape[axis]
    if size != builder.types.dynamic:
        return Affine(size)
    value = builder.value("tensor.dim", builder.types.index, [array, builder.index(axis)])
    return opaque(builder, value, lower=(Affine(0),), upper=(Affine(LONGEST_AXIS),))


def is_available(builder: Builder, value: Affine) -> bool:
    """Whether every symbol of the value was made in this scope or an enclosing one."""
    active = {scope.serial for scope in builder.scopes}
    return all(_symbol_available(symbol, active) for symbol in value.terms)


def _symbol_available(symbol: Symbol, active: set[int]) -> bool:
    if symbol.recipe is None:
        return symbol.scope in active
    return all(
        _symbol_available(inner, active) for part in symbol.recipe if isinstance(part, Affine) for inner in part.terms
    )


def index_value(builder: Builder, value: Affine) -> ir.Value:
    """The integer as an `index`."""
    return _materialise(builder, value, builder.types.index)


def integer_value(builder: Builder, value: Affine) -> ir.Value:
    """The integer as an `i64`."""
    i64 = builder.types.i64
    if all(symbol.recipe is None and symbol.value.type == i64 for symbol in value.terms):
        return _materialise(builder, value, i64)
    key = ("i64", value)
    known = builder.remembered(key)
    return known or builder.remember(key, builder.value("arith.index_cast", i64, [index_value(builder, value)]))


def _materialise(builder: Builder, value: Affine, result: ir.Type) -> ir.Value:
    """The integer modulo 2**64, which is the integer itself wherever that matters (`exactness.py`)."""
    if value.is_constant:
        return builder.constant(word(value.constant), result)
    key = (result is builder.types.index, value)
    known = builder.remembered(key)
    if known is not None:
        return known
    total = None
    for symbol, coefficient in sorted(value.terms.items(), key=lambda term: (term[1] < 0, term[0].serial)):
        total = _add_term(builder, total, _symbol_value(builder, symbol, result), coefficient, result)
    if value.constant > 0:
        total = builder.value("arith.addi", result, [total, builder.constant(word(value.constant), result)])
    elif value.constant < 0:
        total = builder.value("arith.subi", result, [total, builder.constant(word(-value.constant), result)])
    return builder.remember(key, total)


def word(number: int) -> int:
    """A number as it is after it wrapped to 64 bits."""
    return (number + 2**63) % 2**64 - 2**63


def _add_term(builder: Builder, total: ir.Value | None, term: ir.Value, coefficient: int, result: ir.Type) -> ir.Value:
    if abs(coefficient) != 1:
        term = builder.value("arith.muli", result, [term, builder.constant(word(abs(coefficient)), result)])
    if total is None:
        return term if coefficient > 0 else builder.value("arith.subi", result, [builder.constant(0, result), term])
    return builder.value("arith.addi" if coefficient > 0 else "arith.subi", result, [total, term])


def _symbol_value(builder: Builder, symbol: Symbol, result: ir.Type) -> ir.Value:
    key = (result is builder.types.index, symbol)
    known = builder.remembered(key)
    if known is not None:
        return known
    if symbol.recipe is not None:
        name, *parts = symbol.recipe
        value = RECIPES[name](builder, *parts)
    else:
        value = symbol.value
    if value.type != result:
        value = builder.value("arith.index_cast", result, [value])
    return builder.remember(key, value)


def _emit_max(builder: Builder, left: Affine, right: Affine) -> ir.Value:
    operands = [index_value(builder, left), index_value(builder, right)]
    return builder.value("arith.maxsi", builder.types.index, operands)


def _emit_min(builder: Builder, left: Affine, right: Affine) -> ir.Value:
    operands = [index_value(builder, left), index_value(builder, right)]
    return builder.value("arith.minsi", builder.types.index, operands)


def _emit_wrap(builder: Builder, value: Affine, size: Affine) -> ir.Value:
    plain = index_value(builder, value)
    negative = compare(builder, "slt", plain, builder.index(0))
    from_end = builder.value("arith.addi", builder.types.index, [plain, index_value(builder, size)])
    return builder.value("arith.select", builder.types.index, [negative, from_end, plain])


def _emit_ceildiv(builder: Builder, value: Affine, divisor: int) -> ir.Value:
    """Of a value that is not negative; the sum, and a divisor of 2**63, need all 64 bits, so they have no sign."""
    rounded = index_value(builder, value + (divisor - 1))
    return builder.value("arith.divui", builder.types.index, [rounded, builder.index(word(divisor))])


def _emit_product(builder: Builder, left: Affine, right: Affine) -> ir.Value:
    operands = [index_value(builder, left), index_value(builder, right)]
    return builder.value("arith.muli", builder.types.index, operands)


def _emit_unless_one(builder: Builder, left: Affine, right: Affine) -> ir.Value:
    values = [index_value(builder, left), index_value(builder, right)]
    is_one = compare(builder, "eq", values[0], builder.index(1))
    return builder.value("arith.select", builder.types.index, [is_one, values[1], values[0]])


RECIPES: dict[str, Callable[..., ir.Value]] = {
    "max": _emit_max,
    "min": _emit_min,
    "wrap": _emit_wrap,
    "ceildiv": _emit_ceildiv,
    "mul": _emit_product,
    "unless_one": _emit_unless_one,
}
