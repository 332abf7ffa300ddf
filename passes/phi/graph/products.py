"""Products: bases to exponents. Coefficients stand in the sum around a product."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from tapeless.passes.phi.graph.facts import has
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import FLOATS, Node
from tapeless.passes.phi.graph.numbers import (
    HALF,
    MINUS_ONE,
    ONE,
    Number,
    is_integer,
    is_moderate,
    is_power_of_two,
    number,
    plus,
    power,
    ratio,
    rounded,
    times,
)
from tapeless.passes.phi.graph.sums import scale, scaled_term

Factor = tuple[Node, Number]
Collected = dict[tuple[Node, str], Number]
LARGEST_EXPONENT = 64


def monomial(g: Graph, factors: Iterable[Factor], type_: str) -> Node:
    """The product of bases to exponents, in normal form.

    With `reassoc`, products in products are flattened, equal bases collected and coefficients brought to the front;
    quotients in products only with `arcp`. A base above and below the line goes from above, as long as it stays below:
    `x / x**3` is `1 / x**2`, but `x**2 / x` stays, unless x is known not to be zero, or `cancel` is allowed.
    Without `reassoc` a product has two factors and is as written up to signs.
    """
    if "reassoc" not in g.flags and type_ in FLOATS:
        return _as_written(g, list(factors), type_)
    coefficient: Number = ONE
    collected: Collected = {}
    for base, exponent in factors:
        outside = _collect(g, base, exponent, collected)
        if outside is ONE:
            continue
        together = times(coefficient, outside)
        if is_moderate(together, type_) and is_moderate(outside, type_):
            coefficient = together
        else:
            _add(g, g.constant(outside, type_), ONE, collected)
    _clear_above(collected)
    parts = [(base, exponent) for (base, _), exponent in collected.items() if exponent != 0]
    return scale(g, coefficient, _made(g, parts, type_))


def multiply(g: Graph, a: Node, b: Node) -> Node:
    """a * b."""
    return monomial(g, [(a, ONE), (b, ONE)], a.type)


def divide(g: Graph, a: Node, b: Node) -> Node:
    """a / b."""
    return monomial(g, [(a, ONE), (b, MINUS_ONE)], a.type)


def raised(g: Graph, a: Node, exponent: Number) -> Node:
    """a to a constant exponent: a product where that is repeated multiplication or a square root, else `pow`."""
    if exponent == 1:
        return a
    if exponent == 0:
        return g.constant(ONE, a.type)
    if is_integer(exponent) and -LARGEST_EXPONENT <= exponent <= LARGEST_EXPONENT:
        return monomial(g, [(a, exponent)], a.type)
    if (
        isinstance(exponent, Fraction)
        and exponent.denominator == 2
        and -LARGEST_EXPONENT <= exponent <= LARGEST_EXPONENT
    ):
        return monomial(g, [(a, exponent)], a.type)
    return g.node("function", a.type, (a, g.constant(exponent, a.type)), ("pow",))


def square_root(g: Graph, a: Node) -> Node:
    """The square root of a."""
    return raised(g, a, HALF)


def _collect(g: Graph, base: Node, exponent: Number, collected: Collected) -> Number:
    """Adds a factor to those collected; gives the coefficient that comes out of it."""
    if base.kind == "constant":
        value = _constant_power(base.constant, exponent, base.type)
        if value is not None:
            return value
    if not is_integer(exponent):
        _add(g, base, exponent, collected)
        return ONE
    whole = int(exponent)
    coefficient, inner = scaled_term(base)
    factor: Number = ONE
    if inner is not base and coefficient != 0 and is_moderate(power(coefficient, whole), base.type):
        factor, base = power(coefficient, whole), inner
    if base.kind == "sum" and base.is_float and "nsz" in g.flags and _is_turned(g, base):
        factor, base = (times(factor, MINUS_ONE) if whole % 2 else factor), scale(g, MINUS_ONE, base)
    if base.kind == "product" and _may_flatten(g, base, whole):
        for part, inside in zip(base.args, base.exponents, strict=True):
            _add(g, part, times(inside, exponent), collected)
    else:
        _add(g, base, exponent, collected)
    return factor


def _is_turned(g: Graph, base: Node) -> bool:
    """Whether a base is turned round: a - b and b - a are one base, the one that is known to be positive."""
    if has(base, "nonneg"):
        return False
    return base.coefficients[0] < 0 or (base.constant < 0 and has(scale(g, MINUS_ONE, base), "nonneg"))


def _constant_power(value: Number, exponent: Number, type_: str) -> Number | None:
    """A constant to a whole or half exponent, where the machine gives no infinity and no NaN."""
    if not math.isfinite(value) or (value == 0 and exponent <= 0):
        return None
    if is_integer(exponent):
        result = power(value, int(exponent))
        return result if is_moderate(result, type_) else None
    if value <= 0 or not is_integer(times(exponent, number(2))):
        return None
    return _collected_root(value, int(2 * exponent), type_)


def _collected_root(value: Number, halves: int, type_: str) -> Number | None:
    root: Number = number(math.sqrt(value))
    if not isinstance(value, float):
        top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
        if top * top == value.numerator and bottom * bottom == value.denominator:
            root = ratio(top, bottom)
    result = power(root, halves)
    return result if is_moderate(result, type_) else None


def _may_flatten(g: Graph, base: Node, whole: int) -> bool:
    """The square of a square root stays, unless nothing negative is under it; quotients stay without `arcp`."""
    if base.is_float and not g.allows("arcp") and (whole < 0 or any(inside < 0 for inside in base.exponents)):
        return False
    return abs(whole) == 1 or all(
        is_integer(inside) or has(part, "nonneg") or not is_integer(times(inside, number(whole)))
        for part, inside in zip(base.args, base.exponents, strict=True)
    )


def _clear_above(collected: Collected) -> None:
    """Takes bases that are above and below the line from above as far as one of them stays below."""
    for (base, side), above in list(collected.items()):
        below = collected.get((base, "under"))
        if side == "over" and below is not None:
            shared: Number = above
            if above >= -below:
                shared = plus(-below, MINUS_ONE) if is_integer(above) and is_integer(below) else number(0)
            collected[base, "over"] = plus(above, -shared)
            collected[base, "under"] = plus(below, shared)


def _add(g: Graph, base: Node, exponent: Number, collected: Collected) -> None:
    one_sided = "cancel" in g.flags or has(base, "nonzero")
    rooted = not is_integer(exponent) and not has(base, "nonneg")
    side = ("" if one_sided else "over" if exponent > 0 else "under") + (" root" if rooted else "")
    before = collected.get((base, side))
    if before is None:
        collected[base, side] = exponent
        return
    together = plus(before, exponent)
    if rooted and is_integer(together):
        # sqrt(x) * sqrt(x) is NaN where x is negative: it stays the square of a root.
        del collected[base, side]
        half = HALF if together >= 0 else -HALF
        _add(g, g.node("product", base.type, (base,), (half,)), number(2), collected)
        if together != 2 * half:
            _add(g, base, together - 2 * half, collected)
    else:
        collected[base, side] = together


def _made(g: Graph, parts: list[Factor], type_: str) -> Node:
    if not parts:
        return g.constant(ONE, type_)
    if len(parts) == 1 and parts[0][1] == 1:
        return parts[0][0]
    parts.sort(key=lambda each: (each[0].place, each[1] < 0))
    return g.node("product", type_, [base for base, _ in parts], [exponent for _, exponent in parts])


def _as_written(g: Graph, factors: list[Factor], type_: str) -> Node:
    """Exact rewrites only: signs, x * x, 1 / x, factors that are powers of two or the only number, constants alone."""
    assert len(factors) <= 2
    sign: Number = ONE
    parts: list[Factor] = []
    for base, exponent in factors:
        inner, part = scaled_term(base)
        if inner == -1 and is_integer(exponent):
            sign, base = (times(sign, MINUS_ONE) if int(exponent) % 2 else sign), part
        parts.append((base, exponent))
    folded = _folded(parts, type_)
    if folded is not None:
        return g.constant(times(sign, folded), type_)
    if len(parts) == 2:
        parts.sort(key=lambda each: each[0].kind != "constant")
        (first, above), (other, exponent) = parts
        if first.kind == "constant" and other.kind != "constant":
            if above == 1 and exponent == 1:
                return scale(g, _signed(sign, first.constant), other)
            if above == -1 and exponent == 1 and is_power_of_two(first.constant):
                return scale(g, times(sign, power(first.constant, -1)), other)
            if first.constant == 1:
                parts = parts[1:]
        elif first is other and above == exponent == 1:
            parts = [(first, number(2))]
    return scale(g, sign, _made(g, parts, type_))


def _folded(parts: list[Factor], type_: str) -> Number | None:
    """The constant folding of one or two constants, by operations that round correctly; None for anything else."""
    if any(base.kind != "constant" or exponent not in (1, -1, HALF) for base, exponent in parts):
        return None
    if any(base.constant == 0 or not math.isfinite(base.constant) for base, _ in parts):
        return None
    if len(parts) == 1 and parts[0][1] == HALF:
        return number(math.sqrt(parts[0][0].constant)) if parts[0][0].constant > 0 else None
    if not parts or any(exponent == HALF for _, exponent in parts):
        return None
    exact = math.prod((Fraction(base.constant) ** int(exponent) for base, exponent in parts), start=Fraction(1))
    try:
        return rounded(number(float(exact)), type_)
    except OverflowError:
        return None


def _signed(sign: Number, value: Number) -> Number:
    """The number with a sign, which zero has, too."""
    return -float(value) if sign < 0 and value == 0 else times(sign, value)
