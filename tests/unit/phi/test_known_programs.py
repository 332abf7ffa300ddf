"""Derivatives of known programs: right, finite where they should be, and as short as promised."""

from __future__ import annotations

import math
import random

import pytest
from tests.unit.phi.known_programs import PROGRAMS
from tests.unit.phi.machines import floats
from tests.unit.phi.rules.rule_cases import fn, less, when

from tapeless.passes.phi.cost import cost, operations
from tapeless.passes.phi.differentiate.reverse import adjoints
from tapeless.passes.phi.differentiate.symbolic import Symbolic
from tapeless.passes.phi.factor.share import cheapest
from tapeless.passes.phi.graph.graph import DERIVATIVE, STRICT, Graph
from tapeless.passes.phi.graph.walk import inside
from tapeless.passes.phi.lower.instructions import selected
from tapeless.passes.phi.simplify.simplified import simplified


def gradient(program, flags, coarse):
    g = Graph(flags)
    inputs = [g.symbol(name, "f64") for name in program.inputs]
    y = program.build(*(Symbolic(g, each) for each in inputs)).node
    if coarse:
        y = simplified(g, [y]).roots[0] if flags - DERIVATIVE else y
    count = len(program.gradient(*program_points(program)[0]))
    bars = adjoints(g, {y: g.constant(1, "f64")}, wanted(program, inputs, count))
    if not coarse:
        return inputs, bars, {}
    result = simplified(g, bars)
    return inputs, cheapest(g, result.roots), result.fired


def wanted(program, inputs, count):
    """The inputs that the program is differentiated in."""
    places = {"fall": (1,), "logistic regression": (0, 2)}.get(name_of(program), range(count))
    return [inputs[place] for place in places]


def name_of(program):
    return next(name for name, each in PROGRAMS.items() if each is program)


def program_points(program):
    rng = random.Random(7)
    drawn = tuple(tuple(rng.uniform(0.2, 1.4) for _ in program.inputs) for _ in range(5))
    return program.points or drawn


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_are_right_and_short(name):
    program = PROGRAMS[name]
    inputs, bars, _ = gradient(program, DERIVATIVE | program.flags, True)
    for point in program_points(program):
        got = floats(bars, dict(zip(inputs, point, strict=True)))
        assert got == pytest.approx(program.gradient(*point), rel=1e-8 if name == "fall" else 1e-13, abs=1e-300), point
    assert operations(bars) <= program.coarse, [str(each) for each in bars]


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_gradient_costs_more_than_as_written(name):
    program = PROGRAMS[name]
    _, coarse, _ = gradient(program, DERIVATIVE | program.flags, True)
    _, written, _ = gradient(program, STRICT, False)
    # Two operations for a derivative of the logistic function that is right for all arguments.
    assert cost(coarse) <= cost(written) + (2 if name == "sigmoid" else 0)


def test_poles_and_functions_stay_without_their_flags():
    for name in ("quotient with a common factor", "sine and cosine squared"):
        program = PROGRAMS[name]
        _, bars, _ = gradient(program, DERIVATIVE, True)
        assert operations(bars) > program.coarse
    inputs, bars, _ = gradient(PROGRAMS["quotient with a common factor"], DERIVATIVE, True)
    assert not math.isfinite(floats(bars, {inputs[0]: 1.0})[0])


def test_no_tanh_is_called_for_two_exponentials():
    for flags in (DERIVATIVE, DERIVATIVE | {"afn"}):
        _, bars, _ = gradient(PROGRAMS["tanh of exponentials"], flags, True)
        assert not any(node.kind == "function" and node.name == "tanh" for node in inside(bars))


def test_the_arm_whose_divisor_cancels_has_no_division():
    _, bars, _ = gradient(PROGRAMS["branches under a product"], DERIVATIVE, True)
    divisions = [node for node in inside(bars) if node.kind == "product" and any(each < 0 for each in node.exponents)]
    assert all(exponent == -0.5 or node.args[0].kind != "sum" for node in divisions for exponent in node.exponents)


def test_equal_arms_leave_no_condition():
    _, bars, _ = gradient(PROGRAMS["equal derivatives in both arms"], DERIVATIVE, True)
    assert not any(node.kind in ("gamma", "compare") for node in inside(bars))


def test_the_shift_of_a_softmax_has_no_derivative():
    _, bars, _ = gradient(PROGRAMS["shifted cross entropy"], DERIVATIVE, True)
    assert not any(node.kind == "gamma" for node in inside(bars))


def test_branches_in_a_row_stay_linear_in_size():
    sizes = []
    for count in (10, 30):
        g = Graph(DERIVATIVE)
        symbols = [g.symbol(place, "f64") for place in range(count)]
        y = Symbolic(g, g.constant(1, "f64"))
        for each in (Symbolic(g, symbol) for symbol in symbols):
            y = y * when(less(each, 0.0), fn("sin", each), each * each, each)
        bars = simplified(g, adjoints(g, {y.node: g.constant(1, "f64")}, symbols)).roots
        sizes.append(operations(cheapest(g, bars)))
    assert sizes[1] <= 4 * sizes[0]


def test_nested_products_stay_small():
    g = Graph(DERIVATIVE)
    x = g.symbol("x", "f64")
    y = Symbolic(g, x)
    for _ in range(8):
        y = y * fn("sin", y)
    bars = simplified(g, adjoints(g, {y.node: g.constant(1, "f64")}, [x])).roots
    assert len(inside(bars)) <= 80


def test_four_hundred_statements_stay_of_that_size():
    rng = random.Random(11)
    g = Graph(DERIVATIVE)
    symbols = [g.symbol(name, "f64") for name in "abcd"]
    pool = [Symbolic(g, each) for each in symbols]
    for _ in range(400):
        a, b = rng.choice(pool[-12:]), rng.choice(pool[-12:])
        pool.append(rng.choice((lambda a=a, b=b: a * b, lambda a=a, b=b: a + b * 0.5, lambda a=a, b=b: fn("sin", a)))())
    bars = adjoints(g, {pool[-1].node: g.constant(1, "f64")}, symbols)
    result = cheapest(g, simplified(g, bars).roots)
    assert operations(result) <= operations(bars) <= 2400


def test_branches_under_a_product_take_no_more_arithmetic_than_by_hand():
    """By hand: q(e^d z + (q1(½/a, sin a + ½a cos a)(1 + e^d), e^d)), 23 operations beside comparisons and merges."""
    _, bars, _ = gradient(PROGRAMS["branches under a product"], DERIVATIVE, True)
    instructions, _ = selected(bars, DERIVATIVE)
    assert sum(node.kind in ("instruction", "function") for node in inside(instructions)) <= 23
