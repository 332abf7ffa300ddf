"""Adjoints of loops: contributions of the adjoints of their results to their arguments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.differentiate.loops.array_bars import array_bar, at, merged, shifted, single, turned
from tapeless.passes.phi.differentiate.loops.definitions import definition, named
from tapeless.passes.phi.differentiate.loops.opening import Opening, opening
from tapeless.passes.phi.differentiate.loops.sensitivities import NoClosedDerivativeError, Tangents, sensitivities
from tapeless.passes.phi.graph.branches import compare
from tapeless.passes.phi.graph.contents import is_free_of
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.affine import matrix_size, power_and_change, powers, states
from tapeless.passes.phi.graph.loops.array_terms import element, is_array
from tapeless.passes.phi.graph.loops.ranges import length, reduction
from tapeless.passes.phi.graph.nodes import Body, Node
from tapeless.passes.phi.graph.numbers import ONE, number
from tapeless.passes.phi.graph.products import multiply
from tapeless.passes.phi.graph.sums import add, linear, scale, subtract, total
from tapeless.passes.phi.graph.walk import applied, bind, substitute

Given = list[tuple[Node, Node]]  # what is given to, and what
Adjoints = Callable[[Graph, Mapping[Node, Node], Sequence[Node]], list[Node]]


@dataclass(frozen=True)
class Modes:
    """Differentiation of the expressions in bodies, in both modes."""

    adjoints: Adjoints
    tangents: Tangents


def given_by_loop(g: Graph, node: Node, bars: Mapping[int, Node], active: Collection[Node], modes: Modes) -> Given:
    """The contributions of a loop to its active arguments; `bars` by place of the result."""
    return BACKWARD[node.name](g, node, bars, active, modes)


def given_by_element(g: Graph, node: Node, bar: Node) -> Given:
    """An element gives to its array."""
    array, *indices = node.args
    if len(indices) != 1:
        raise NoClosedDerivativeError(f"an array with {len(indices)} axes is differentiated in")
    return [(array, single(g, array, indices[0], bar))]


def _sum(g: Graph, node: Node, bars: Mapping[int, Node], active: Collection[Node], modes: Modes) -> Given:
    """The sum of the terms' contributions; elements at shifted indices get theirs by the index."""
    opened = opening(g, node.bodies[0], active, elements=True)
    (index,), (term,) = opened.parameters, opened.results
    given = modes.adjoints(g, {term: g.constant(1, node.type)}, opened.inputs)
    return _over_range(g, opened, index, (node.args[0], node.args[1]), given, bars[0])


def _over_range(
    g: Graph, opened: Opening, index: Node, bounds: tuple[Node, Node], given: Sequence[Node], bar: Node
) -> Given:
    """The contributions of expressions of an index to the inputs of an opening, over a range of the index."""
    given = opened.closed(g, given)
    found: Given = []
    for symbol, bar_of in zip(opened.inputs, given, strict=True):
        if bar_of.kind == "constant" and bar_of.constant == 0:
            continue
        if symbol in opened.elements:
            found.append(_to_element(g, opened, symbol, index, bounds, bar_of, bar))
        elif is_array(symbol.type):
            found.append((opened.outer[symbol], _summed_array(g, opened.outer[symbol], index, bounds, bar_of, bar)))
        else:
            summed = reduction(g, "sum", *bounds, bind(g, [index], [bar_of]))
            found.append((opened.outer[symbol], multiply(g, bar, summed)))
    return found


def _to_element(
    g: Graph, opened: Opening, symbol: Node, index: Node, bounds: tuple[Node, Node], bar_of: Node, bar: Node
) -> tuple[Node, Node]:
    array, *indices = opened.closed(g, [opened.elements[symbol]])[0].args
    term = bind(g, [index], [multiply(g, bar, bar_of)])
    if len(indices) == 1:
        for put, moved in ((shifted, subtract(g, indices[0], index)), (turned, add(g, indices[0], index))):
            if is_free_of(moved, [index]):
                return array, put(g, array, bounds, moved, lambda step: applied(g, term, [step])[0])
    raise NoClosedDerivativeError("elements of an array that is differentiated in are not read one after the other")


def _summed_array(g: Graph, array: Node, index: Node, bounds: tuple[Node, Node], bar_of: Node, bar: Node) -> Node:
    """An array that every step gives, summed up."""

    def value(place: Node) -> Node:
        summed = reduction(g, "sum", *bounds, bind(g, [index], [at(g, bar_of, place)]))
        return multiply(g, bar, summed)

    return array_bar(g, array, value)


def _extreme(g: Graph, node: Node, bars: Mapping[int, Node], active: Collection[Node], modes: Modes) -> Given:
    """The term at the first place of the extreme gets all; nothing where the range is empty."""
    low, high = node.args
    body = node.bodies[0]
    opened = opening(g, body, active, elements=False)
    place = reduction(g, f"arg{node.name}", low, high, body)
    (term,) = substitute(g, opened.results, {opened.parameters[0]: place})
    given = opened.closed(g, modes.adjoints(g, {term: g.constant(1, node.type)}, opened.inputs))
    some = compare(g, "lt", low, high)
    return [
        (outer, merged(g, some, _times(g, bars[0], each, outer), None, outer, lazy=True))
        for outer, each in zip(opened.outer.values(), given, strict=True)
    ]


def _times(g: Graph, bar: Node, given: Node, like: Node) -> Node:
    if not is_array(like.type):
        return multiply(g, bar, given)
    return array_bar(g, like, lambda index: multiply(g, bar, at(g, given, index)))


def _map(g: Graph, node: Node, bars: Mapping[int, Node], active: Collection[Node], modes: Modes) -> Given:
    """Each value by its own adjoint."""
    opened = opening(g, node.bodies[0], active, elements=True)
    (index,), (value,) = opened.parameters, opened.results
    seed = g.fresh(value.type)
    given = modes.adjoints(g, {value: seed}, opened.inputs)
    given = substitute(g, given, {seed: at(g, bars[0], index)})
    return _over_range(g, opened, index, (g.constant(0, "index"), node.args[0]), given, g.constant(1, value.type))


def _powers(g: Graph, node: Node, bars: Mapping[int, Node], active: Collection[Node], modes: Modes) -> Given:
    """The next Taylor coefficients of the power and of the geometric sum."""
    steps, base = node.args
    terms = []
    for place, bar in bars.items():
        order = place // 2 + 1
        terms.append(multiply(g, bar, scale(g, number(order), powers(g, steps, base, order)[place % 2])))
    return [(base, total(g, terms, base.type))]


def _system(g: Graph, node: Node, bars: Mapping[int, Node], active: Collection[Node], modes: Modes) -> Given:
    """With a one appended to the state, x = M x: the adjoint of M is the change of the power of its transpose."""
    count, type_ = matrix_size(node), node.args[1].type
    steps, matrix = node.args[0], node.args[1 : 1 + count**2]
    offset, inits = node.args[1 + count**2 :][:count], node.args[-count:]
    zero, one, wide = g.constant(0, type_), g.constant(1, type_), count + 1
    rows = [[*matrix[row * count :][:count], offset[row]] for row in range(count)] + [[zero] * count + [one]]
    seeds = [bars.get(place, zero) for place in range(count)] + [zero]
    transposed = [rows[column][row] for row in range(wide) for column in range(wide)]
    outer = [multiply(g, seed, first) if seed is not zero else zero for seed in seeds for first in (*inits, one)]
    power, changed = power_and_change(g, steps, transposed, outer)
    found: Given = []
    for row in range(count):
        found += [(matrix[row * count + column], changed[row * wide + column]) for column in range(count)]
        found.append((offset[row], changed[row * wide + count]))
        terms = [
            multiply(g, power[row * wide + column], seeds[column])
            for column in range(count)
            if seeds[column] is not zero
        ]
        found.append((inits[row], total(g, terms, type_)))
    return [each for each in found if each[0] in active]


def _scan(g: Graph, node: Node, bars: Mapping[int, Node], active: Collection[Node], modes: Modes) -> Given:
    """x = a(k) x + b(k): arrays in a and b get theirs from the states and the products of the factors after a step."""
    steps, first = node.args
    if not _reads_arrays(g, node.bodies[0], active):
        return _by_sensitivities(g, node, bars, active, modes)
    return _of_scan(g, steps, first, node.bodies[0], bars[0], active, modes)


def _prod(g: Graph, node: Node, bars: Mapping[int, Node], active: Collection[Node], modes: Modes) -> Given:
    """A product is x = t(k) x from 1: the prefix before a factor times the suffix after it, right also where one is
    zero.
    """
    low, high = node.args
    if not _reads_arrays(g, node.bodies[0], active):
        return _by_sensitivities(g, node, bars, active, modes)
    step = g.fresh("index")
    term = applied(g, node.bodies[0], [add(g, low, step)])[0]
    body = bind(g, [step], [term, g.constant(0, node.type)])
    return _of_scan(g, length(g, low, high), g.constant(1, node.type), body, bars[0], active, modes)


def _reads_arrays(g: Graph, body: Body, active: Collection[Node]) -> bool:
    return any(is_array(each.type) for each in opening(g, body, active, elements=False).outer)


def _all_states(g: Graph, node: Node, bars: Mapping[int, Node], active: Collection[Node], modes: Modes) -> Given:
    """All states of x = a(k) x + b(k): going back, each state's adjoint comes in where the recurrence passes it."""
    steps, first = node.args
    one = g.constant(1, first.type)
    return _of_scan(g, steps, first, node.bodies[0], one, active, modes, every=bars[0])


def _of_scan(
    g: Graph,
    steps: Node,
    first: Node,
    body: Body,
    bar: Node,
    active: Collection[Node],
    modes: Modes,
    every: Node | None = None,
) -> Given:
    """The contributions of the last state for its adjoint, or of all states for `every` one's."""
    opened = opening(g, body, active, elements=True)
    (step,), (factor, offset) = opened.parameters, opened.results
    before, after = g.fresh(first.type), g.fresh(first.type)
    seeds = {factor: multiply(g, after, before)}
    seeds[offset] = add(g, seeds[offset], after) if offset in seeds else after
    given = modes.adjoints(g, seeds, opened.inputs)
    back = g.fresh("index")
    last = linear(g, [(ONE, steps)], number(-1), steps.type)
    turned = applied(g, body, [subtract(g, last, back)])[0]
    # The adjoint is what the recurrence starts from: the factors alone may overflow where it does not.
    ends = (bar, g.constant(0, first.type))
    if every is not None:
        ends = (at(g, every, steps), at(g, every, subtract(g, last, back)))
    after_all = states(g, steps, ends[0], bind(g, [back], [turned, ends[1]]))
    known = {
        after: element(g, after_all, subtract(g, last, step)),
        before: element(g, states(g, steps, first, body), step),
    }
    given, one = substitute(g, given, known), g.constant(1, first.type)
    found = _over_range(g, opened, step, (g.constant(0, "index"), steps), given, one)
    if first in active:
        found.append((first, element(g, after_all, steps)))
    return found


def _by_sensitivities(g: Graph, node: Node, bars: Mapping[int, Node], active: Collection[Node], modes: Modes) -> Given:
    """Any loop of few active numbers: their tangents beside the values."""
    of = named(g, node, active)
    found: Given = []
    for input_, changes in sensitivities(g, definition(g, of.loop), of.meant, modes.tangents).items():
        places = [place for place in changes if place in bars]
        slopes = of.closed(g, [changes[place] for place in places])
        terms = [multiply(g, bars[place], slope) for place, slope in zip(places, slopes, strict=True)]
        if terms:
            found.append((of.meant[input_], total(g, terms, input_.type)))
    return found


Backward = Callable[[Graph, Node, Mapping[int, Node], Collection[Node], Modes], Given]
BACKWARD: dict[str, Backward] = {
    "sum": _sum,
    "prod": _prod,
    "max": _extreme,
    "min": _extreme,
    "map": _map,
    "affine_pow": _powers,
    "affine_iter": _system,
    "affine_scan": _scan,
    "affine_states": _all_states,
    **dict.fromkeys(("iterate", "while", "pow_iter", "matrix_pow"), _by_sensitivities),
}
