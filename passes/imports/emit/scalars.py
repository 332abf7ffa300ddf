"""Scalar functions on SSA scalars of the types of core IR: one emitter per function, one table.

Where a processor would stop, or where processors differ, the result is that of XLA: integers divided by 0 give -1 and
the dividend as remainder, and floats beyond the integers of a type become its largest or least one, NaN 0.
"""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import arith, ir
from tapeless.dialects import ad, soac
from tapeless.passes.ir.build import flags, number

Emit = Callable[..., ir.Value]
FLOATS = (ir.F64Type, ir.F32Type)


def is_float(value: ir.Value) -> bool:
    """Whether a scalar is a float."""
    return isinstance(value.type, FLOATS)


def is_bool(value: ir.Value) -> bool:
    """Whether a scalar is an `i1`."""
    return isinstance(value.type, ir.IntegerType) and value.type.width == 1


def by_kind(of_floats: str | None, of_integers: str | None, of_bools: str | None = None) -> Emit:
    """A function that is one operation of `arith` or `math` for each kind of number."""

    def emit(*operands: ir.Value) -> ir.Value:
        first = operands[0]
        if is_float(first):
            return floating(str(of_floats), *operands)
        name = of_bools if is_bool(first) and of_bools else of_integers
        return ir.Operation.create(str(name), [first.type], list(operands)).result

    return emit


def floating(name: str, *operands: ir.Value) -> ir.Value:
    """An operation on floats, with the flags that these have."""
    return ir.Operation.create(name, [operands[0].type], list(operands), {"fastmath": flags()}).result


def named(function: str) -> Emit:
    """A function of `soac.fn`."""
    return lambda *operands: soac.FnOp(list(operands), operands[0].type, ir.StringAttr.get(function)).out


def select(condition: ir.Value, left: ir.Value, right: ir.Value) -> ir.Value:
    """One of two scalars."""
    return arith.SelectOp(condition, left, right).result


def equals(value: ir.Value, constant: int) -> ir.Value:
    """Whether an integer is a constant."""
    return arith.CmpIOp(arith.CmpIPredicate.eq, value, number(value.type, constant)).result


def divide(left: ir.Value, right: ir.Value) -> ir.Value:
    """The quotient; of integers rounded towards 0, -1 for a divisor 0."""
    if is_float(left):
        return floating("arith.divf", left, right)
    quotient = arith.DivSIOp(left, _safe(right)).result
    negated = arith.SubIOp(number(left.type, 0), left).result
    quotient = select(equals(right, -1), negated, quotient)
    return select(equals(right, 0), number(left.type, -1), quotient)


def remainder(left: ir.Value, right: ir.Value) -> ir.Value:
    """The remainder of a division, with the sign of the dividend."""
    if is_float(left):
        return floating("arith.remf", left, right)
    rest = arith.RemSIOp(left, _safe(right)).result
    return select(equals(right, 0), left, rest)


def _safe(divisor: ir.Value) -> ir.Value:
    """1 in place of 0 and -1, by which processors may refuse to divide."""
    unsafe = arith.OrIOp(equals(divisor, 0), equals(divisor, -1)).result
    return select(unsafe, number(divisor.type, 1), divisor)


def negate(value: ir.Value) -> ir.Value:
    return floating("arith.negf", value) if is_float(value) else arith.SubIOp(number(value.type, 0), value).result


def sign(value: ir.Value) -> ir.Value:
    """-1, 0 or 1; zeros keep their sign, and NaN is handed on."""
    if is_float(value):
        return floating("math.copysign", named("sign")(value), value)
    above = arith.MaxSIOp(value, number(value.type, -1)).result
    return arith.MinSIOp(above, number(value.type, 1)).result


def logical_not(value: ir.Value) -> ir.Value:
    return arith.XOrIOp(value, number(value.type, -1)).result


def shift_left(value: ir.Value, count: ir.Value) -> ir.Value:
    """0 where all bits go."""
    return _shifted(arith.ShLIOp, value, count, number(value.type, 0))


def shift_right_logical(value: ir.Value, count: ir.Value) -> ir.Value:
    """0 where all bits go."""
    return _shifted(arith.ShRUIOp, value, count, number(value.type, 0))


def shift_right_arithmetic(value: ir.Value, count: ir.Value) -> ir.Value:
    """Only the sign where all bits go."""
    last = number(value.type, value.type.width - 1)
    return arith.ShRSIOp(value, arith.MinUIOp(count, last).result).result


def _shifted(op: Callable[..., ir.OpView], value: ir.Value, count: ir.Value, beyond: ir.Value) -> ir.Value:
    last = number(value.type, value.type.width - 1)
    shifted = op(value, arith.MinUIOp(count, last).result).result
    fits = arith.CmpIOp(arith.CmpIPredicate.ule, count, last).result
    return select(fits, shifted, beyond)


def count_ones(value: ir.Value) -> ir.Value:
    """How many bits are set, by sums of neighbours; numbers of up to 64 bits."""
    width = value.type.width
    if width == 1:
        return value
    count = value
    for shift in (1, 2, 4, 8, 16, 32)[: width.bit_length() - 1]:
        low = int("".join(["0" * shift + "1" * shift] * (width // (2 * shift))), 2)
        mask = number(value.type, low - (1 << width) if low >> (width - 1) else low)
        upper = arith.ShRUIOp(count, number(value.type, shift)).result
        count = arith.AddIOp(arith.AndIOp(count, mask).result, arith.AndIOp(upper, mask).result).result
    return count


def count_leading_zeros(value: ir.Value) -> ir.Value:
    """How many bits stand above the highest that is set: of the number with all bits below that one set, too."""
    width = value.type.width
    if width == 1:
        return logical_not(value)
    filled = value
    for shift in (1, 2, 4, 8, 16, 32)[: width.bit_length() - 1]:
        filled = arith.OrIOp(filled, arith.ShRUIOp(filled, number(value.type, shift)).result).result
    return count_ones(logical_not(filled))


def is_finite(value: ir.Value) -> ir.Value:
    i1 = ir.IntegerType.get_signless(1)
    return ir.Operation.create("math.isfinite", [i1], [value], {"fastmath": flags()}).result


maximum = by_kind("arith.maximumf", "arith.maxsi", "arith.ori")
minimum = by_kind("arith.minimumf", "arith.minsi", "arith.andi")


def clamp(low: ir.Value, value: ir.Value, high: ir.Value) -> ir.Value:
    """The value, at least `low`, and then at most `high`."""
    return minimum(maximum(value, low), high)


ORDERED = {"eq": "OEQ", "ne": "UNE", "lt": "OLT", "le": "OLE", "gt": "OGT", "ge": "OGE"}


def compare_floats(direction: str, left: ir.Value, right: ir.Value) -> ir.Value:
    """A comparison that is false for NaN, except `ne`."""
    predicate = getattr(arith.CmpFPredicate, ORDERED[direction])
    return arith.CmpFOp(predicate, left, right, fastmath=flags()).result


def compare(direction: str, left: ir.Value, right: ir.Value, *, total: bool = False) -> ir.Value:
    """A comparison; with `total`, floats are in the order -NaN, -inf, ..., -0, 0, ..., inf, NaN."""
    if is_float(left) and not total:
        return compare_floats(direction, left, right)
    if is_float(left):
        left, right = in_order(left), in_order(right)
    signed = "" if direction in ("eq", "ne") else "u" if is_bool(left) else "s"
    return arith.CmpIOp(getattr(arith.CmpIPredicate, signed + direction), left, right).result


def in_order(value: ir.Value) -> ir.Value:
    """Integers in the total order of floats: of negative ones, all bits but the sign are turned."""
    bits = 64 if isinstance(value.type, ir.F64Type) else 32
    type_ = ir.IntegerType.get_signless(bits)
    word = arith.BitcastOp(type_, value).result
    sign_bits = arith.ShRSIOp(word, number(type_, bits - 1)).result
    turned = arith.AndIOp(sign_bits, number(type_, (1 << (bits - 1)) - 1)).result
    return arith.XOrIOp(word, turned).result


def convert(result: ir.Type) -> Emit:
    """The conversion to a type, as XLA does it."""

    def emit(value: ir.Value) -> ir.Value:
        if value.type == result:
            return value
        if isinstance(result, FLOATS):
            return _to_float(value, result)
        if result.width == 1:
            zero = number(value.type, 0)
            return compare("ne", value, zero)
        return _to_integer(value, result)

    return emit


def _to_float(value: ir.Value, result: ir.Type) -> ir.Value:
    if is_float(value):
        wider = isinstance(result, ir.F64Type)
        return (arith.ExtFOp if wider else arith.TruncFOp)(result, value, fastmath=flags()).result
    return (arith.UIToFPOp if is_bool(value) else arith.SIToFPOp)(result, value).result


def _to_integer(value: ir.Value, result: ir.IntegerType) -> ir.Value:
    if is_float(value):
        return _saturated(value, result)
    if value.type.width > result.width:
        return arith.TruncIOp(result, value).result
    return (arith.ExtUIOp if is_bool(value) else arith.ExtSIOp)(result, value).result


def _saturated(value: ir.Value, result: ir.IntegerType) -> ir.Value:
    """The integer towards 0, or the nearest of the type; 0 for NaN."""
    bound = 2.0 ** (result.width - 1)
    above = compare_floats("ge", value, number(value.type, bound))
    inside = arith.AndIOp(
        compare_floats("ge", value, number(value.type, -bound)), compare_floats("lt", value, number(value.type, bound))
    ).result
    whole = arith.FPToSIOp(result, select(inside, value, number(value.type, 0.0))).result
    largest = 2 ** (result.width - 1) - 1
    limit = select(above, number(result, largest), number(result, -largest - 1))
    unordered = compare_floats("ne", value, value)
    return select(inside, whole, select(unordered, number(result, 0), limit))


def bitcast(result: ir.Type) -> Emit:
    """The same bits as a number of another type of the same width, through which no derivative goes.

    Bits that become the float again are folded to the value that they were taken from, before anything is
    differentiated: therefore that value is marked.
    """

    def emit(value: ir.Value) -> ir.Value:
        if value.type == result:
            return value
        return arith.BitcastOp(result, ad.StopGradientOp(value, value.type).out if is_float(value) else value).result

    return emit


FUNCTIONS: dict[str, Emit] = {
    "add": by_kind("arith.addf", "arith.addi", "arith.ori"),
    "subtract": by_kind("arith.subf", "arith.subi", "arith.xori"),
    "multiply": by_kind("arith.mulf", "arith.muli", "arith.andi"),
    "divide": divide,
    "remainder": remainder,
    "maximum": maximum,
    "minimum": minimum,
    "negate": negate,
    "abs": by_kind("math.absf", "math.absi"),
    "sign": sign,
    "floor": by_kind("math.floor", None),
    "ceil": by_kind("math.ceil", None),
    "round_nearest_even": by_kind("math.roundeven", None),
    "round_nearest_afz": by_kind("math.round", None),
    "sqrt": by_kind("math.sqrt", None),
    "rsqrt": by_kind("math.rsqrt", None),
    "cbrt": by_kind("math.cbrt", None),
    "exponential": by_kind("math.exp", None),
    "exponential_minus_one": by_kind("math.expm1", None),
    "log": by_kind("math.log", None),
    "log_plus_one": by_kind("math.log1p", None),
    "logistic": named("sigmoid"),
    "sine": by_kind("math.sin", None),
    "cosine": by_kind("math.cos", None),
    "tan": by_kind("math.tan", None),
    "tanh": by_kind("math.tanh", None),
    "atan2": by_kind("math.atan2", None),
    "and": by_kind(None, "arith.andi"),
    "or": by_kind(None, "arith.ori"),
    "xor": by_kind(None, "arith.xori"),
    "not": logical_not,
    "shift_left": shift_left,
    "shift_right_logical": shift_right_logical,
    "shift_right_arithmetic": shift_right_arithmetic,
    "popcnt": count_ones,
    "count_leading_zeros": count_leading_zeros,
    "is_finite": is_finite,
    "clamp": clamp,
    "select": select,
}

OPERATORS: dict[str, Emit] = {
    **{name: FUNCTIONS[name] for name in ("add", "multiply", "maximum", "minimum", "and", "or", "xor")},
    "unsigned_maximum": lambda left, right: arith.MaxUIOp(left, right).result,
    "unsigned_minimum": lambda left, right: arith.MinUIOp(left, right).result,
}
"""Functions of two numbers that combine any count of them in any order."""
