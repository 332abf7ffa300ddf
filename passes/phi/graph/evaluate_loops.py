"""The value of loops at numbers: each done step by step, as its definition says."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from tapeless.passes.phi.graph.loops.affine import matrix_size
from tapeless.passes.phi.graph.nodes import Body, Node

Value = Any  # a number, a truth value, a sequence of values, or the results of a loop
Run = Callable[[Body, Sequence[Value]], list[Value]]
# Steps after which a loop counts as one without end: a guess that fits the programs.
LONGEST_WHILE = 1000
HIGHEST_ORDER = 4


def _terms(node: Node, args: list[Any], run: Run) -> list[Any]:
    return [run(node.bodies[0], [i])[0] for i in range(args[0], args[1])]


def _sum(node: Node, args: list[Any], run: Run) -> Value:
    terms = _terms(node, args, run)
    return math.fsum(terms) if node.is_float else sum(terms)


def _place(better: Callable[[float, float], bool]) -> Callable[[Node, list[Any], Run], Value]:
    def place(node: Node, args: list[Any], run: Run) -> Value:
        terms = _terms(node, args, run)
        best = 0
        for i, term in enumerate(terms):
            if better(term, terms[best]):
                best = i
        return args[0] + best

    return place


def _iterate(node: Node, args: list[Any], run: Run) -> Value:
    steps, *values = args
    for k in range(steps):
        values = run(node.bodies[0], [k, *values])
    return values


def _while(node: Node, args: list[Any], run: Run) -> Value:
    condition, body = node.bodies
    values, steps = list(args), 0
    while run(condition, values)[0]:
        values, steps = run(body, values), steps + 1
        if steps > LONGEST_WHILE:
            return [*(math.nan for _ in values), steps]
    return [*values, steps]


def _map(node: Node, args: list[Any], run: Run) -> Value:
    return [run(node.bodies[0], [i])[0] for i in range(args[0])]


def _states(node: Node, args: list[Any], run: Run) -> Value:
    steps, value = args
    found = [value]
    for k in range(steps):
        a, b = run(node.bodies[0], [k])
        found.append(a * found[-1] + b)
    return found


def _affine_pow(node: Node, args: list[Any], run: Run) -> Value:
    """Taylor coefficients of a^n and of the sum of a^i, step by step."""
    steps, a = args
    power, total = [1.0] + [0.0] * HIGHEST_ORDER, [0.0] * (HIGHEST_ORDER + 1)
    for _ in range(steps):
        total = [s + p for s, p in zip(total, power, strict=True)]
        power = [a * p + below for p, below in zip(power, [0.0, *power], strict=False)]
    return [each for pair in zip(power, total, strict=True) for each in pair]


def _affine_iter(node: Node, args: list[Any], run: Run) -> Value:
    size = matrix_size(node)
    steps, matrix, offset, state = args[0], args[1 : 1 + size**2], args[1 + size**2 :][:size], args[-size:]
    for _ in range(steps):
        state = [
            math.fsum([*(a * x for a, x in zip(matrix[row * size :], state, strict=False)), offset[row]])
            for row in range(size)
        ]
    return state


def _matrix_pow(node: Node, args: list[Any], run: Run) -> Value:
    steps, half = args[0], (len(args) - 1) // 2
    size = math.isqrt(half)
    matrix, change = args[1 : 1 + half], args[1 + half :]
    power = [float(row == column) for row in range(size) for column in range(size)]
    changed = [0.0] * half
    for _ in range(steps):
        moved = zip(_times(changed, matrix, size), _times(power, change, size), strict=True)
        changed = [a + b for a, b in moved]
        power = _times(power, matrix, size)
    return [*power, *changed]


def _times(a: Sequence[float], b: Sequence[float], size: int) -> list[float]:
    places = [(row, column) for row in range(size) for column in range(size)]
    return [math.fsum(a[row * size + k] * b[k * size + column] for k in range(size)) for row, column in places]


def _pow_iter(node: Node, args: list[Any], run: Run) -> Value:
    steps, a, b, value = args
    for _ in range(steps):
        value = a * value**b
    return value


LOOPS: dict[str, Callable[[Node, list[Any], Run], Value]] = {
    "sum": _sum,
    "prod": lambda node, args, run: math.prod(_terms(node, args, run)),
    "max": lambda node, args, run: max(_terms(node, args, run), default=-math.inf),
    "min": lambda node, args, run: min(_terms(node, args, run), default=math.inf),
    "and": lambda node, args, run: all(_terms(node, args, run)),
    "or": lambda node, args, run: any(_terms(node, args, run)),
    "argmax": _place(lambda a, b: a > b),
    "argmin": _place(lambda a, b: a < b),
    "map": _map,
    "iterate": _iterate,
    "while": _while,
    "affine_pow": _affine_pow,
    "affine_iter": _affine_iter,
    "affine_scan": lambda node, args, run: _states(node, args, run)[-1],
    "affine_states": _states,
    "matrix_pow": _matrix_pow,
    "pow_iter": _pow_iter,
}
