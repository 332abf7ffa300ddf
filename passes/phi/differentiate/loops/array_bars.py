"""Adjoints of arrays: always an array of values, so that contributions come together in one pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless.passes.phi.differentiate.loops.sensitivities import NoClosedDerivativeError
from tapeless.passes.phi.graph.branches import compare, connect, gamma, truth
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.array_terms import INDEX, array_of, element, element_type, is_array, rank, size
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import MINUS_ONE, ONE
from tapeless.passes.phi.graph.sums import add, linear, subtract, total
from tapeless.passes.phi.graph.walk import applied, bind


def array_bar(g: Graph, like: Node, value: Callable[[Node], Node]) -> Node:
    """An array as long as another one, of a value at each index."""
    if rank(like.type) != 1:
        raise NoClosedDerivativeError(f"an array with {rank(like.type)} axes is differentiated in")
    index = g.fresh(INDEX)
    return array_of(g, size(g, like), bind(g, [index], [value(index)]), like.type)


def at(g: Graph, array: Node, index: Node) -> Node:
    """The value of an array at an index; of an array of values, the value."""
    if array.kind == "loop" and array.name == "map":
        return applied(g, array.bodies[0], [index])[0]
    return element(g, array, index)


def gathered(g: Graph, bars: Sequence[Node], like: Node) -> Node:
    """The sum of contributions to a value or to an array."""
    if not is_array(like.type):
        return total(g, bars, like.type)
    if len(bars) == 1:
        return bars[0]
    return array_bar(g, like, lambda index: total(g, [at(g, bar, index) for bar in bars], element_type(like.type)))


def merged(
    g: Graph, condition: Node, then: Node | None, otherwise: Node | None, like: Node, lazy: bool = False
) -> Node:
    """The contribution of the branch that was taken; None is nothing."""
    if not is_array(like.type):
        zero = g.constant(0, like.type)
        return gamma(g, condition, *(zero if arm is None else arm for arm in (then, otherwise)), lazy=lazy)
    zero = g.constant(0, element_type(like.type))

    def value(index: Node) -> Node:
        return gamma(
            g, condition, *(zero if arm is None else at(g, arm, index) for arm in (then, otherwise)), lazy=lazy
        )

    return array_bar(g, like, value)


def single(g: Graph, array: Node, place: Node, bar: Node) -> Node:
    """The contribution to one element."""
    zero = g.constant(0, bar.type)
    return array_bar(g, array, lambda index: gamma(g, compare(g, "eq", index, place), bar, zero))


def shifted(g: Graph, array: Node, bounds: tuple[Node, Node], shift: Node, bar: Callable[[Node], Node]) -> Node:
    """The contributions of steps i in bounds to the elements i + shift."""
    low, high = (add(g, each, shift) for each in bounds)
    return _between(g, array, low, high, lambda index: bar(subtract(g, index, shift)))


def turned(g: Graph, array: Node, bounds: tuple[Node, Node], end: Node, bar: Callable[[Node], Node]) -> Node:
    """The contributions of steps i in bounds to the elements end - i."""
    high, low = (linear(g, [(ONE, end), (MINUS_ONE, each)], ONE, end.type) for each in bounds)
    return _between(g, array, low, high, lambda index: bar(subtract(g, end, index)))


def _between(g: Graph, array: Node, low: Node, high: Node, value: Callable[[Node], Node]) -> Node:
    """An array of values for indices in bounds, and of zeros elsewhere."""
    zero = g.constant(0, element_type(array.type))
    return array_bar(
        g,
        array,
        lambda index: gamma(g, connect(g, "and", *_within(g, array, index, low, high)), value(index), zero, lazy=True),
    )


def _within(g: Graph, array: Node, index: Node, low: Node, high: Node) -> tuple[Node, Node]:
    """Whether an index of an array is in bounds; nothing to ask where these are those of the array."""
    is_first, is_last = low.kind == "constant" and low.constant <= 0, high is size(g, array)
    lower = truth(g, True) if is_first else compare(g, "le", low, index)
    return lower, truth(g, True) if is_last else compare(g, "lt", index, high)
