"""Products: bases to exponents. Coefficients stand in the sum around a product."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from tapeless.passes.phi.graph.facts import has
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import FLOATS, Node
from tapeless.passes.phi.graph.numbers import HALF, MINUS_ONE, ONE, Number, is_integer, number, plus, power, times
from tapeless.passes.phi.graph.sums import scale, scaled_term

Factor = tuple[Node, Number]
LARGEST_EXPONENT = 64


def monomial(g: Graph, factors: Iterable[Factor], type_: str) -> Node:
    """The product of bases to exponents, in normal form.

    With `reassoc`, products in products are flattened, equal bases collected and coefficients brought to the front.
    A base above and below the line stays in both places unless it is known not to be zero, or `cancel` is allowed.
    Without `reassoc` a product has two factors and is as written up to signs.
    """
    if type_ in FLOATS and not g.allows("reassoc"):
        return _as_written(g, list(factors), type_)
    coefficient: Number = ONE
    collected: dict[tuple[Node, str], Number] = {}
    for base, exponent in factors:
        coefficient = times(coefficient, _collect(g, base, exponent, collected))
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


def _collect(g: Graph, base: Node, exponent: Number, collected: dict[tuple[Node, str], Number]) -> Number:
    """Adds a factor to those collected; gives the coefficient that comes out of it."""
    if not is_integer(exponent):
        _add(g, base, exponent, collected)
        return ONE
    whole = int(exponent)
    if base.kind == "constant" and (base.constant != 0 or whole > 0):
        return power(base.constant, whole)
    coefficient, inner = scaled_term(base)
    factor: Number = ONE
    if coefficient != 1 and coefficient != 0:
        factor, base = power(coefficient, whole), inner
    if base.kind == "product" and _may_flatten(g, base, whole):
        for part, inside in zip(base.args, base.exponents, strict=True):
            _add(g, part, times(inside, exponent), collected)
    else:
        _add(g, base, exponent, collected)
    return factor


def _may_flatten(g: Graph, base: Node, whole: int) -> bool:
    """The square of a square root stays, unless nothing negative is under it."""
    return abs(whole) == 1 or all(
        is_integer(inside) or has(part, "nonneg") or not is_integer(times(inside, number(whole)))
        for part, inside in zip(base.args, base.exponents, strict=True)
    )


def _add(g: Graph, base: Node, exponent: Number, collected: dict[tuple[Node, str], Number]) -> None:
    one_sided = has(base, "nonzero") or g.allows("cancel")
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
    """Exact rewrites only: signs, x * x, 1 / x, and factors that are powers of two or the only number."""
    assert len(factors) <= 2
    sign: Number = ONE
    parts: list[Factor] = []
    for base, exponent in factors:
        inner, part = scaled_term(base)
        if inner == -1 and is_integer(exponent):
            sign, base = (times(sign, MINUS_ONE) if int(exponent) % 2 else sign), part
        parts.append((base, exponent))
    constants = [part for part in parts if part[0].kind == "constant"]
    if len(parts) == 2 and len(constants) == 1 and constants[0][1] == 1:
        other = parts[0] if parts[1] is constants[0] else parts[1]
        if other[1] == 1:
            return scale(g, times(sign, constants[0][0].constant), other[0])
        if constants[0][0].constant == 1:
            parts = [other]
    if len(parts) == 2 and constants == [parts[1]] and parts[1][1] == -1 and _is_power_of_two(parts[1][0].constant):
        return scale(g, times(sign, power(parts[1][0].constant, -1)), parts[0][0])
    if len(parts) == 2 and parts[0] == parts[1] and parts[0][1] == 1:
        parts = [(parts[0][0], number(2))]
    if len(parts) == 2 and len(constants) == 2 and constants[1][1] == 1:
        return g.constant(times(sign, times(constants[0][0].constant, constants[1][0].constant)), type_)
    return scale(g, sign, _made(g, parts, type_))


def _is_power_of_two(value: Number) -> bool:
    if not isinstance(value, Fraction) or value == 0:
        return False
    top, bottom = abs(value.numerator), value.denominator
    return top & (top - 1) == 0 and bottom & (bottom - 1) == 0
