"""Solved loops as the recurrences that they are the solution of: where derivatives of any order come from."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.differentiate.activity import differentiable
from tapeless.passes.phi.graph.elementary import function
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.affine import matrix_size
from tapeless.passes.phi.graph.loops.ranges import length
from tapeless.passes.phi.graph.loops.recurrences import part
from tapeless.passes.phi.graph.nodes import Body, Node
from tapeless.passes.phi.graph.products import multiply, raised
from tapeless.passes.phi.graph.sums import add, total
from tapeless.passes.phi.graph.walk import applied, bind, substitute


@dataclass(frozen=True)
class Named:
    """A loop with a symbol for every active free value, and the substitution of the symbols.

    A recurrence that is made of a loop is in normal form: it may have `a - b` where the loop has `b - a`, and what it
    depends on would not be found in it. Symbols stay what they are.
    """

    original: Node
    loop: Node
    meant: dict[Node, Node]

    def closed(self, g: Graph, nodes: Sequence[Node]) -> list[Node]:
        """Substitutes the symbols of expressions."""
        return substitute(g, nodes, {**self.meant, self.loop: self.original})


def named(g: Graph, loop: Node, active: Collection[Node]) -> Named:
    """Gives everything active that a loop takes a name."""
    symbols = {each: g.fresh(each.type) for each in differentiable(loop) if each in active}
    (made,) = substitute(g, [loop], symbols)
    return Named(loop, made, {symbol: each for each, symbol in symbols.items()})


@dataclass(frozen=True)
class Recurrence:
    """A counted loop: steps, first values, and a body of the step and the values."""

    steps: Node
    inits: Sequence[Node]
    body: Body


def definition(g: Graph, node: Node) -> Recurrence:
    """The counted loop whose values at the end are the results of a loop."""
    return DEFINITIONS[node.name](g, node)


def _iterate(g: Graph, node: Node) -> Recurrence:
    return Recurrence(node.args[0], node.args[1:], node.bodies[0])


def _while(g: Graph, node: Node) -> Recurrence:
    """As many steps as were done."""
    inits, body = node.args, node.bodies[1]
    values = [g.fresh(each.type) for each in inits]
    steps = part(g, node, len(inits), "index")
    return Recurrence(steps, inits, bind(g, [g.fresh("index"), *values], applied(g, body, values)))


def _prod(g: Graph, node: Node) -> Recurrence:
    low, high = node.args
    step, value = g.fresh("index"), g.fresh(node.type)
    (term,) = applied(g, node.bodies[0], [add(g, low, step)])
    body = bind(g, [step, value], [multiply(g, value, term)])
    return Recurrence(length(g, low, high), [g.constant(1, node.type)], body)


def _scan(g: Graph, node: Node) -> Recurrence:
    steps, first = node.args
    step, value = g.fresh("index"), g.fresh(node.type)
    factor, given = applied(g, node.bodies[0], [step])
    return Recurrence(steps, [first], bind(g, [step, value], [add(g, multiply(g, factor, value), given)]))


def _power(g: Graph, node: Node) -> Recurrence:
    steps, factor, exponent, first = node.args
    step, value = g.fresh("index"), g.fresh(node.type)
    is_number = exponent.kind == "constant"
    power = raised(g, value, exponent.constant) if is_number else function(g, "pow", value, exponent)
    return Recurrence(steps, [first], bind(g, [step, value], [multiply(g, factor, power)]))


def _system(g: Graph, node: Node) -> Recurrence:
    count = matrix_size(node)
    matrix, offset, inits = node.args[1 : 1 + count**2], node.args[1 + count**2 :][:count], node.args[-count:]
    step, values = g.fresh("index"), [g.fresh(each.type) for each in inits]
    following = []
    for row in range(count):
        terms = [multiply(g, a, x) for a, x in zip(matrix[row * count :][:count], values, strict=True)]
        following.append(add(g, total(g, terms, inits[0].type), offset[row]))
    return Recurrence(node.args[0], inits, bind(g, [step, *values], following))


def _matrix_power(g: Graph, node: Node) -> Recurrence:
    """P = P A and Q = Q A + P Y, from the unit matrix and zero."""
    half = (len(node.args) - 1) // 2
    count, type_ = math.isqrt(half), node.args[1].type
    matrix, change = node.args[1 : 1 + half], node.args[1 + half :]
    power, changed = ([g.fresh(type_) for _ in range(half)] for _ in range(2))

    def times(a: Sequence[Node], b: Sequence[Node], row: int, column: int) -> list[Node]:
        return [multiply(g, a[row * count + k], b[k * count + column]) for k in range(count)]

    places = [(row, column) for row in range(count) for column in range(count)]
    next_power = [total(g, times(power, matrix, *place), type_) for place in places]
    next_changed = [total(g, times(changed, matrix, *at) + times(power, change, *at), type_) for at in places]
    inits = [g.constant(int(row == column), type_) for row, column in places] + [g.constant(0, type_)] * half
    body = bind(g, [g.fresh("index"), *power, *changed], [*next_power, *next_changed])
    return Recurrence(node.args[0], inits, body)


DEFINITIONS: dict[str, Callable[[Graph, Node], Recurrence]] = {
    "iterate": _iterate,
    "while": _while,
    "prod": _prod,
    "affine_scan": _scan,
    "pow_iter": _power,
    "affine_iter": _system,
    "matrix_pow": _matrix_power,
}
