"""Derivatives of loops, solved and not, in both modes, against each other and against differences."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from tests.unit.phi.loops.written import array, at, number, over, repeat

from tapeless.passes.phi.differentiate.forward import tangents
from tapeless.passes.phi.differentiate.loops.sensitivities import NoClosedDerivativeError
from tapeless.passes.phi.differentiate.reverse import adjoints
from tapeless.passes.phi.differentiate.symbolic import Symbolic
from tapeless.passes.phi.graph.branches import compare, gamma
from tapeless.passes.phi.graph.elementary import function
from tapeless.passes.phi.graph.evaluate import evaluated
from tapeless.passes.phi.graph.graph import DERIVATIVE, Graph
from tapeless.passes.phi.graph.loops.array_terms import size
from tapeless.passes.phi.graph.numbers import MINUS_ONE, ONE
from tapeless.passes.phi.graph.sums import linear
from tapeless.passes.phi.graph.walk import inside
from tapeless.passes.phi.solve.solver import solved

STEP = 1e-6
LENGTH = 6


def sine(of):
    return Symbolic(of.graph, function(of.graph, "sin", of.node))


def affine(g, a, b, x, y, n):
    return repeat(g, n, [b], lambda k, d: [a * d + sine(b)])[0]


def repeated_sum(g, a, b, x, y, n):
    return repeat(g, n, [a], lambda k, d: [d + b])[0]


def ema(g, a, b, x, y, n):
    return repeat(g, n, [b], lambda k, d: [a * at(g, x, k) + (1.0 - a) * d])[0]


def horner(g, a, b, x, y, n):
    return repeat(g, n, [b], lambda k, d: [d * a + at(g, x, k)])[0]


def scan(g, a, b, x, y, n):
    return repeat(g, n, [b], lambda k, d: [at(g, y, k) * a * d + sine(at(g, x, k))])[0]


def product(g, a, b, x, y, n):
    return repeat(g, n, [b], lambda k, d: [d * (at(g, x, k) + a)])[0]


def logistic(g, a, b, x, y, n):
    return repeat(g, n, [b], lambda k, d: [a * d * (1.0 - d)])[0]


def powers(g, a, b, x, y, n):
    return repeat(g, n, [b], lambda k, d: [a * d * d])[0]


def system(g, a, b, x, y, n):
    p, v = repeat(g, n, [b, a], lambda k, p, v: [p + 0.1 * v, v - a * p + b])
    return p * v


def squares(g, a, b, x, y, n):
    zero = g.constant(0, "index")
    return over(g, "sum", zero, n, lambda i: sine(at(g, y, i) - at(g, x, i) * a) * b)


def neighbours(g, a, b, x, y, n):
    zero, short = g.constant(0, "index"), linear(g, [(ONE, n)], MINUS_ONE, "index")
    after = lambda i: linear(g, [(ONE, i)], ONE, "index")  # noqa: E731
    return over(g, "sum", zero, short, lambda i: a * at(g, x, i) * at(g, x, after(i)) + at(g, y, i))


def double_sum(g, a, b, x, y, n):
    zero = g.constant(0, "index")
    inner = lambda i: over(g, "sum", zero, n, lambda j: sine(at(g, x, i) * at(g, y, j) * a))  # noqa: E731
    return over(g, "sum", zero, n, lambda i: inner(i) * at(g, y, i))


def largest(g, a, b, x, y, n):
    return over(g, "max", g.constant(0, "index"), n, lambda i: at(g, x, i) * a + b * at(g, y, i))


def smallest_loop(g, a, b, x, y, n):
    return repeat(g, n, [b], lambda k, d: [Symbolic(g, function(g, "min", d.node, at(g, x, k).node))])[0]


def branching(g, a, b, x, y, n):
    far = compare(g, "lt", a.node, b.node)
    return Symbolic(g, gamma(g, far, affine(g, a, b, x, y, n).node, squares(g, a, b, x, y, n).node)) * affine(
        g, a, b, x, y, n
    )


def clamped(g, a, b, x, y, n):
    return repeat(g, n, [b], lambda k, d: [d.either(at(g, x, k).compare("gt", 0.0), a * d + b, d + a)])[0]


PROGRAMS = (
    affine,
    repeated_sum,
    horner,
    logistic,
    powers,
    system,
    clamped,
    ema,
    scan,
    product,
    squares,
    neighbours,
    double_sum,
    largest,
    smallest_loop,
    branching,
)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("is_solved", [True, False], ids=["solved", "as written"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_gradients(program, is_solved):
    rng = random.Random(7)
    g = Graph(DERIVATIVE)
    a, b, x, y, n = number(g, "a"), number(g, "b"), array(g, "x"), array(g, "y"), g.symbol("n", "index")
    root = program(g, a, b, x, y, n).node
    roots = solved(g, [root]) if is_solved else [root]
    scalars, arrays = [a.node, b.node], [x, y]
    if not is_solved and program in (horner, ema, scan, product, smallest_loop):
        with pytest.raises(NoClosedDerivativeError):
            adjoints(g, {root: g.constant(1, "f64")}, arrays)
        arrays = []
    back = solved(g, adjoints(g, {roots[0]: g.constant(1.25, "f64")}, [*scalars, *arrays]))
    for steps in (0, 1, 2, LENGTH) if program is not largest else (1, 2, LENGTH):
        point = {each: rng.uniform(-1.2, 1.2) for each in scalars} | {n: steps}
        point |= {each: [rng.uniform(-1.2, 1.2) for _ in range(LENGTH)] for each in (x, y)}

        def value(given, roots=roots):
            return evaluated(roots, given)[0]

        found = evaluated(back, point)
        for place, each in enumerate(scalars):
            up, down = (value({**point, each: point[each] + h}) for h in (STEP, -STEP))
            assert found[place] == pytest.approx(1.25 * (up - down) / (2 * STEP), rel=2e-5, abs=2e-6), (steps, place)
            (forward,) = evaluated(tangents(g, roots, {each: g.constant(1.25, "f64")}), point)
            assert found[place] == pytest.approx(forward, rel=1e-9, abs=1e-9)
        for place, each in enumerate(arrays):
            gradient = found[2 + place]
            assert len(gradient) == LENGTH
            for at_ in range(LENGTH):
                up, down = (value({**point, each: _moved(point[each], at_, h)}) for h in (STEP, -STEP))
                wanted = 1.25 * (up - down) / (2 * STEP)
                assert gradient[at_] == pytest.approx(wanted, rel=2e-5, abs=2e-6), (steps, place, at_)
            direction = g.symbol(("direction", place), each.type)
            (forward,) = evaluated(tangents(g, roots, {each: direction}), point | {direction: [1.0] * LENGTH})
            assert sum(gradient) == pytest.approx(1.25 * forward, rel=1e-9, abs=1e-9)


def _moved(values, place, by):
    return [each + by * (at_ == place) for at_, each in enumerate(values)]


@pytest.mark.parametrize("program", [affine, logistic, system, squares, powers], ids=lambda program: program.__name__)
def test_second_derivatives(program):
    g = Graph(DERIVATIVE)
    a, b, x, y, n = number(g, "a"), number(g, "b"), array(g, "x"), array(g, "y"), g.symbol("n", "index")
    roots = solved(g, [program(g, a, b, x, y, n).node])
    one = g.constant(1, "f64")
    first = adjoints(g, {roots[0]: one}, [a.node, b.node])
    second = [adjoints(g, {each: one}, [a.node, b.node]) for each in first]
    point = {a.node: 0.7, b.node: -0.4, n: 5, x: [0.1, -0.4, 0.9, 0.3, -1.1], y: [1.0, 0.2, -0.6, 0.5, 0.3]}
    for row, each in enumerate((a.node, b.node)):
        up, down = (evaluated(first, {**point, each: point[each] + h}) for h in (STEP, -STEP))
        for column in range(2):
            wanted = (up[column] - down[column]) / (2 * STEP)
            (found,) = evaluated([second[column][row]], point)
            assert found == pytest.approx(wanted, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("away", [0.0, *(10.0**-e for e in range(2, 16))])
def test_gradients_of_affine_loops_are_exact_near_one(away):
    """The closed form (a^n - 1) / (a - 1) loses all digits here; fractions are the reference."""
    steps, a, b, p = 100, 1.0 + away, 0.3, 0.7
    g = Graph(DERIVATIVE)
    symbols = [number(g, name) for name in "abp"]
    n = g.symbol("n", "index")
    (d,) = repeat(g, n, [symbols[2]], lambda k, d: [symbols[0] * d + symbols[1]])
    roots = solved(g, [d.node])
    back = adjoints(g, {roots[0]: g.constant(1, "f64")}, [each.node for each in symbols])
    assert {each.name for each in inside(back) if each.kind == "loop"} == {"affine_pow"}
    found = evaluated(back, {n: steps, **dict(zip((each.node for each in symbols), (a, b, p), strict=True))})
    exact = Fraction(a)
    value, slope = Fraction(p), Fraction(0)
    for _ in range(steps):
        value, slope = exact * value + Fraction(b), exact * slope + value
    geometric = sum((exact**i for i in range(steps)), start=Fraction(0))
    for got, want in zip(found, (slope, geometric, exact**steps), strict=True):
        assert abs(Fraction(got) - want) <= Fraction(1e-14) * want


def test_extremes_tell_one_place():
    """The adjoint of a maximum is one index and one pass over the array, not one choice per step."""
    g = Graph(DERIVATIVE)
    x, n = array(g, "x"), size(g, array(g, "x"))
    y = over(g, "max", g.constant(0, "index"), n, lambda i: at(g, x, i))
    (bar,) = adjoints(g, {y.node: g.constant(1, "f64")}, [x])
    assert evaluated([bar], {x: [1.0, 3.0, 3.0, -2.0]}) == [[0.0, 1.0, 0.0, 0.0]]
    assert evaluated([bar], {x: []}) == [[]]


def mixed(g, a, b, x, d):
    return a * x + (b - a) * d


def complement(g, a, b, x, d):
    return b * x - (1.0 - a * b) * d


def shifted(g, a, b, x, d):
    return (x - a) * d + (a - b)


def squared(g, a, b, x, d):
    return (b - a) * d * d


@pytest.mark.parametrize("form", [mixed, complement, shifted, squared], ids=lambda each: each.__name__)
@pytest.mark.parametrize("is_stepwise", [False, True], ids=["closed", "stepwise"])
def test_factors_that_are_differences(form, is_stepwise):
    """Normal forms turn differences round: nothing that a loop depends on gets lost by that, in either mode."""
    g = Graph(DERIVATIVE)
    a, b, p, x, n = number(g, "a"), number(g, "b"), number(g, "p"), array(g, "x"), g.symbol("n", "index")
    (end,) = repeat(g, n, [p], lambda k, d: [form(g, a, b, at(g, x, k), d)])
    (value,) = solved(g, [end.node], is_stepwise=is_stepwise)
    wanted = [a.node, b.node, p.node]
    bars = adjoints(g, {value: g.constant(1, "f64")}, wanted)
    point = {a.node: 0.3, b.node: 0.2, p.node: 1.2, x: [1.0, 0.7, 0.2, 0.4], n: 4}
    for node, bar in zip(wanted, bars, strict=True):
        (tangent,) = tangents(g, [value], {node: g.constant(1, "f64")})
        up, down = (evaluated([end.node], point | {node: point[node] + step})[0] for step in (1e-6, -1e-6))
        expected = (up - down) / 2e-6
        assert evaluated([bar, tangent], point) == pytest.approx([expected, expected], rel=1e-6, abs=1e-9)


def test_products_are_right_where_a_factor_is_zero():
    g = Graph(DERIVATIVE)
    x, n = array(g, "x"), size(g, array(g, "x"))
    y = over(g, "prod", g.constant(0, "index"), n, lambda i: at(g, x, i))
    (bar,) = adjoints(g, {y.node: g.constant(1, "f64")}, [x])
    assert evaluated([bar], {x: [2.0, 0.0, 3.0, 5.0]}) == [[0.0, 30.0, 0.0, 0.0]]
    assert evaluated([bar], {x: [2.0, 0.0, 0.0]}) == [[0.0, 0.0, 0.0]]


@pytest.mark.parametrize("program", [scan, product, ema], ids=lambda each: each.__name__)
def test_all_states_going_back(program):
    """The gradient in an array is made of all states: its change along a direction, in reverse."""
    g = Graph(DERIVATIVE)
    x, y, w, n = array(g, "x"), array(g, "y"), array(g, "w"), g.symbol("n", "index")
    a, b = number(g, "a"), number(g, "b")
    value = solved(g, [program(g, a, b, x, y, n).node])[0]
    (slope,) = adjoints(g, {value: g.constant(1, "f64")}, [x])
    changed = over(g, "sum", g.constant(0, "index"), n, lambda k: at(g, w, k) * at(g, slope, k)).node
    wanted = [a.node, b.node, x]
    bars = adjoints(g, {changed: g.constant(1, "f64")}, wanted)
    rng = random.Random(8)
    for steps in (0, 1, 2, LENGTH):
        point = {each: [rng.uniform(0.3, 1.2) for _ in range(LENGTH)] for each in (x, y, w)}
        point |= {a.node: 0.7, b.node: 0.4, n: steps}

        def at_moved(node, place, step, point=point):
            moved = dict(point)
            if place is None:
                moved[node] = point[node] + step
            else:
                moved[node] = [each + step * (k == place) for k, each in enumerate(point[node])]
            return evaluated([changed], moved)[0]

        found = evaluated(bars, point)
        for node, bar in zip(wanted, found, strict=True):
            for place in range(LENGTH) if node is x else [None]:
                slope_there = (at_moved(node, place, STEP) - at_moved(node, place, -STEP)) / (2 * STEP)
                assert (bar if place is None else bar[place]) == pytest.approx(slope_there, abs=1e-7)
