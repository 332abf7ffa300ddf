"""Which instructions compute a product of powers.

All powers are raised together: what stands for half of every exponent is multiplied with itself, once with what else
there is. So x^8 / y^8 is (x / y)^8, and z x^4 is (z x^2) x^2: no value on the way is much larger or smaller than the
result, unless a factor is.

A loop that multiplies zero by something in every step ends with zero. In closed form that is zero times a power, which
may be infinite where no step of the loop is: such products are guarded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import ZERO

Make = Callable[..., Node]
Total = Callable[[Sequence[Node]], Node]
Power = tuple[Node, int]
POWERS = "affine_pow"


def multiplied(make: Make, total: Total, one: Node, powers: Sequence[Power]) -> Node:
    """The product of bases to whole exponents; `total` multiplies factors."""
    over = [(base, exponent) for base, exponent in powers if exponent > 0]
    under = [(base, -exponent) for base, exponent in powers if exponent < 0]
    if not under:
        return _raised(make, total, one, over, [])
    if not over:
        return make("div", one, _raised(make, total, one, under, []))
    if _is_short(over, under):
        return make("div", _raised(make, total, one, over, []), _raised(make, total, one, under, []))
    often = [each for each in under if _has_several_digits(each[1])]
    over += [(make("div", one, base), exponent) for base, exponent in often]
    return _raised(make, total, one, over, [each for each in under if each not in often])


def _is_short(over: Sequence[Power], under: Sequence[Power]) -> bool:
    """Whether there is so little above and below the line that each is computed by itself."""
    highest = sorted(max(exponent for _, exponent in side) for side in (over, under))
    return highest[0] == 1 and highest[1] <= 2


def _has_several_digits(exponent: int) -> bool:
    return exponent & (exponent - 1) != 0


def _raised(make: Make, total: Total, one: Node, over: Sequence[Power], under: Sequence[Power]) -> Node:
    """From the first binary digit of the exponents to the last; powers below the line are divided by at their digit."""
    result: Node | None = None
    for digit in reversed(range(max(exponent for _, exponent in (*over, *under)).bit_length())):
        above = [base for base, exponent in over if exponent >> digit & 1]
        below = [base for base, exponent in under if exponent >> digit & 1]
        if result is not None and not above and not below:
            result = make("mul", result, result)
            continue
        factor = total(above) if above else None
        if result is not None:
            factor = result if factor is None else make("mul", result, factor)
        if below:
            factor = make("div", one if factor is None else factor, total(below))
        result = factor if result is None else make("mul", factor, result)
    assert result is not None
    return result


def is_growing(node: Node) -> bool:
    """Whether a node is a power, a geometric sum or a product of as many factors as a loop has steps."""
    if node.kind == "part":
        return node.args[0].kind == "loop" and node.args[0].name == POWERS
    return node.kind == "loop" and node.name == "prod" and node.is_float


def factor_of_steps(node: Node) -> Node | None:
    """The factor that every step multiplies by, if that is one value."""
    return node.args[0].args[1] if node.kind == "part" else None


def guarded(g: Graph, make: Callable[..., Node], grown: Node, rest: Node, factor: Node | None) -> Node:
    """The product of a grown factor and another one, and where that is zero the result of one step."""
    is_zero = g.node("compare", "i1", (rest, g.constant(ZERO, rest.type)), ("eq",))
    instead = rest if factor is None else make("mul", rest, factor)
    if factor is None:
        size = g.node("function", grown.type, (grown,), ("abs",))
        is_infinite = g.node("compare", "i1", (size, g.constant(math.inf, grown.type)), ("eq",))
        is_zero = g.node("logic", "i1", (is_zero, is_infinite), ("and",))
    return g.node("gamma", grown.type, (is_zero, instead, make("mul", rest, grown)))
