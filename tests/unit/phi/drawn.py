"""Random expressions over a few symbols, for comparisons of what is made of them."""

from __future__ import annotations

import random

from tapeless.passes.phi.graph.branches import COMPARISONS, compare, gamma
from tapeless.passes.phi.graph.elementary import function
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import number
from tapeless.passes.phi.graph.products import divide, multiply, square_root
from tapeless.passes.phi.graph.sums import add, scale, subtract

FACTORS = (0.1, 2, -3, 0.5)


def drawn(g: Graph, rng: random.Random, symbols: list[Node], steps: int) -> Node:
    """An expression that is finite and mostly smooth wherever the symbols are moderate."""
    pool = list(symbols)
    one = g.constant(1, "f64")
    for _ in range(steps):
        a, b = rng.choice(pool), rng.choice(pool)
        pool.append(
            rng.choice(
                (
                    lambda a=a, b=b: add(g, a, b),
                    lambda a=a, b=b: subtract(g, a, scale(g, number(rng.choice(FACTORS)), b)),
                    lambda a=a, b=b: multiply(g, a, b),
                    lambda a=a, b=b: divide(g, a, add(g, multiply(g, b, b), one)),
                    lambda a=a: function(g, rng.choice(("sin", "cos", "tanh", "sigmoid")), a),
                    lambda a=a: square_root(g, add(g, multiply(g, a, a), one)),
                    lambda a=a, b=b: gamma(g, _condition(g, rng, a, b), rng.choice(pool), multiply(g, a, b)),
                    lambda a=a, b=b: function(g, rng.choice(("max", "min")), a, b),
                )
            )()
        )
    return pool[-1]


def _condition(g: Graph, rng: random.Random, a: Node, b: Node) -> Node:
    return compare(g, rng.choice(list(COMPARISONS)), a, b)
