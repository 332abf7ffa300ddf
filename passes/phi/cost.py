"""The cost model of expressions: a unit is about one addition in a loop over vectors.

The weights of functions were measured; that of tanh matters most, since two exponentials are cheaper.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache, lru_cache

from tapeless.passes.phi.graph.contents import dependent
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import is_integer
from tapeless.passes.phi.graph.walk import inside

SIMPLE = 1.0
DIVISION = 4.0
ROOT = 5.0
LOAD = 1.0
SINE_AND_COSINE = 30.0
OTHER_FUNCTION = 40.0
FUNCTIONS = {
    "abs": SIMPLE,
    "max": SIMPLE,
    "min": SIMPLE,
    "maxnum": SIMPLE,
    "minnum": SIMPLE,
    "roundeven": SIMPLE,
    "round": SIMPLE,
    "rsqrt": 9.0,
    "rem": 12.0,
    "cast": SIMPLE,
    "sign": 2 * SIMPLE,
    "copysign": SIMPLE,
    "floor": SIMPLE,
    "ceil": SIMPLE,
    "trunc": SIMPLE,
    "exp": 20.0,
    "exp2": 20.0,
    "expm1": 24.0,
    "log": 20.0,
    "log2": 20.0,
    "log10": 20.0,
    "log1p": 24.0,
    "sin": 22.0,
    "cos": 22.0,
    "tan": 30.0,
    "pow": 33.0,
    "erf": 30.0,
    "erfc": 30.0,
    "erfinv": 60.0,
    "tanh": 52.0,
    "sigmoid": 26.0,
    "softplus": 48.0,
    "hypot": 12.0,
}
ITERATION = 2.0
CALL = 60.0
FREE = ("constant", "symbol", "part", "barrier", "size")
UNKNOWN_STEPS = 64
# Loops of as few rounds as their number of steps has binary digits.
ROUNDS = 6
FEW_ROUNDS = ("affine_pow", "affine_iter", "matrix_pow")
# Functions that are several operations.
LONGER = {"sigmoid": 4, "softplus": 6}


def cost(roots: Iterable[Node]) -> float:
    """The cost of evaluating expressions together, each node once; symbols are given."""
    nodes = inside(roots)
    return sum(cost_of(node) for node in nodes) - _saved_by_pairs(nodes)


@lru_cache(maxsize=65536)
def cost_of(node: Node) -> float:
    """The cost of a node by itself, its arguments given."""
    if node.kind in FREE:
        return 0.0
    if node.kind == "sum":
        return SIMPLE * operations_of_sum(node)
    if node.kind == "product":
        return _of_product(node)
    if node.kind == "function":
        return FUNCTIONS.get(node.name, OTHER_FUNCTION)
    if node.kind == "element":
        return LOAD
    if node.kind == "loop":
        return _of_loop(node)
    return CALL if node.kind == "opaque" else SIMPLE


def _of_loop(node: Node) -> float:
    """The cost of a loop: varying nodes in every step, all others once; powers take a round per
    digit of their steps.
    """
    if node.name in FEW_ROUNDS:
        entries = max(1, len(node.args) - 1)
        return ROUNDS * (ITERATION + 4 * SIMPLE * entries * math.isqrt(entries))
    total = 0.0
    for body in node.bodies:
        changing = dependent(body.results, body.parameters)
        fixed = [each for each in inside(body.results) if each not in changing]
        total += UNKNOWN_STEPS * (ITERATION + sum(map(cost_of, changing))) + sum(map(cost_of, fixed))
    return total


def operations_of_sum(node: Node) -> int:
    """Multiplications by coefficients and additions; a sum of nothing but subtracted terms starts with a negation."""
    scalings = sum(abs(factor) != 1 for factor in node.coefficients)
    additions = len(node.args) - 1 + (node.constant != 0)
    negation = node.constant == 0 and all(factor == -1 for factor in node.coefficients)
    return scalings + additions + negation


def operations(roots: Iterable[Node]) -> int:
    """How many operations expressions take, elementary functions counted as one."""
    return sum(_operations_of(node) for node in inside(roots))


def _operations_of(node: Node) -> int:
    if node.kind in FREE:
        return 0
    if node.kind == "sum":
        return operations_of_sum(node)
    if node.kind == "product":
        multiplied, divided, roots = _parts_of_product(node)
        return multiplied + divided + roots
    return LONGER.get(node.name, 1) if node.kind == "function" else 1


def _of_product(node: Node) -> float:
    multiplied, divided, roots = _parts_of_product(node)
    return SIMPLE * multiplied + DIVISION * divided + ROOT * roots


def _parts_of_product(node: Node) -> tuple[int, int, int]:
    """Multiplications, divisions and square roots."""
    above = [exponent for exponent in node.exponents if exponent > 0]
    below = [-exponent for exponent in node.exponents if exponent < 0]
    roots = sum(not is_integer(exponent) for exponent in node.exponents)
    multiplied = sum(multiplications([_whole(each) for each in side]) + _beside(side) for side in (above, below))
    return multiplied, int(bool(below)), roots


def _whole(exponent: Fraction | float) -> int:
    return max(1, int(exponent))


def _beside(side: list[Fraction | float]) -> int:
    """Multiplications of a power by the square root of its base, as in x**(3/2)."""
    return sum(not is_integer(exponent) and exponent > 1 for exponent in side)


def _saved_by_pairs(nodes: list[Node]) -> float:
    """Sine and cosine of the same value cost less than both by themselves."""
    arguments = [
        {node.args[0] for node in nodes if node.kind == "function" and node.name == name} for name in ("sin", "cos")
    ]
    return (2 * FUNCTIONS["sin"] - SINE_AND_COSINE) * len(arguments[0] & arguments[1])


@cache
def chain(exponent: int) -> tuple[int, ...]:
    """Exponents from 1 to the given one, each the sum of two before it: a shortest chain of those that double or reuse.

    Squares where possible; else the best split into a chain for a factor or into one step more.
    """
    if exponent == 1:
        return (1,)
    candidates = [(*chain(exponent - 1), exponent)]
    for factor in range(2, math.isqrt(exponent) + 1):
        if exponent % factor == 0:
            for first, second in ((factor, exponent // factor), (exponent // factor, factor)):
                candidates.append((*chain(first), *(first * each for each in chain(second)[1:])))
    return min(candidates, key=len)


def multiplications(exponents: Sequence[int]) -> int:
    """How many it takes for the product of different values to exponents, a common power taken outside."""
    if not exponents:
        return 0
    common = math.gcd(*exponents)
    inner = sum(len(chain(each // common)) - 1 for each in exponents) + len(exponents) - 1
    return inner + len(chain(common)) - 1
