"""The method `coarsened` in Python: gradients against closed forms and the method `redundant`, and what it tells."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl

pytestmark = pytest.mark.one_in(3)


def quotients(x, y):
    s = x + y
    return (x / s) * (y / s) / s


def likelihood(w, b, xs, ys):
    def one(x, y):
        p = 1.0 / (1.0 + tl.exp(-(w * x + b)))
        return -(y * tl.log(p) + (1.0 - y) * tl.log(1.0 - p))

    return tl.sum(tl.map(one, xs, ys))


def lennard_jones(xs):
    energy = 0.0
    for i in range(1, len(xs)):
        r = xs[i] - xs[i - 1]
        q = 1.0 / (r * r)
        cube = q * q * q
        energy += 4.0 * (cube * cube - cube)
    return energy


def pair(x, y):
    r = tl.sqrt(x * x + y * y)
    return 4.0 * ((1.0 / r) ** 12 - (1.0 / r) ** 6)


def spring(x, y, stiffness, rest):
    stretch = tl.sqrt(x * x + y * y) - rest
    return stiffness * stretch * stretch


def in_branches(x, y):
    if x > 0.0:
        a = tl.log(x)
        z = a * y
        w = a * a / x + y / x
    else:
        z = x * y
        w = y / (y * y + 1.0) + x / (y * y + 1.0)
    return z * w / (y + 2.0) + w / (y + 2.0)


@tl.function
def affine(a, b, p, n):
    d = p
    for _ in range(n):
        d = a * d + b
    return d * a


def descent(rate, xs, ys, most):
    w = 0.0
    for _ in range(most):
        slope = 0.0
        for i in range(len(xs)):
            slope += 2.0 * xs[i] * (ys[i] - xs[i] * w)
        slope = slope / len(xs)
        if abs(slope) < 1e-6:
            break
        w += rate * slope
    error = 0.0
    for i in range(len(xs)):
        error += (ys[i] - xs[i] * w) ** 2
    return tl.sqrt(error)


def affine_in_map(a, bs, n):
    return tl.sum(tl.map(lambda b: affine(a, b, 0.5, n), bs))


def affine_in_loop(a, bs, n):
    total = 0.3
    for i in range(len(bs)):
        total += 0.1 * tl.sin(affine(a, bs[i], total, n))
    return total


POINTS = np.linspace(0.5, 3.0, 12)
CASES = {
    "quotients": (quotients, (1.3, 0.4)),
    "likelihood": (likelihood, (0.3, 0.1, POINTS, (POINTS > 1.0) * 1.0)),
    "lennard_jones": (lennard_jones, (np.cumsum(POINTS),)),
    "pair": (pair, (0.9, 0.4)),
    "spring": (spring, (0.9, 0.4, 3.0, 0.5)),
    "first arm": (in_branches, (1.2, 0.7)),
    "second arm": (in_branches, (-0.4, 0.7)),
    "affine loop": (affine, (0.97, 0.4, 1.5, 30)),
    "affine loop without a step": (affine, (0.97, 0.4, 1.5, 0)),
    "affine loop in a map": (affine_in_map, (0.97, POINTS, 20)),
    "affine loop in a loop": (affine_in_loop, (0.5, POINTS, 20)),
    "descent that ends at the limit": (descent, (0.05, POINTS, 2 * POINTS + np.sin(7 * POINTS), 10)),
    "descent that breaks": (descent, (0.1, POINTS, 2 * POINTS + np.sin(7 * POINTS), 200)),
    "at the pole of the other arm": (in_branches, (0.0, 0.7)),
}


def gradient(function, arguments, method):
    floats = tuple(k for k, each in enumerate(arguments) if not isinstance(each, int))
    return tl.grad(tl.function(function), argnums=floats, method=method)(*arguments)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("case", CASES)
def test_gradients_are_those_of_redundant(case):
    function, arguments = CASES[case]
    for mine, other in zip(*(gradient(function, arguments, m) for m in ("coarsened", "redundant")), strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-12, atol=1e-13)


@pytest.mark.one_in(8)
@pytest.mark.parametrize("case", CASES)
def test_values_are_those_of_the_function_itself(case):
    function, arguments = CASES[case]
    value, _ = tl.value_and_grad(tl.function(function), method="coarsened")(*arguments)
    assert value == tl.function(function)(*arguments)


def test_values_have_the_same_bits_beside_derivatives_of_closed_forms():
    rng = np.random.default_rng(3)
    both = tl.value_and_grad(tl.function(affine), argnums=(0, 1, 2), method="coarsened")
    for a, b, p in rng.normal(size=(20, 3)):
        assert both(a, b, p, 25)[0] == tl.function(affine)(a, b, p, 25)


def test_closed_form():
    x, y = 1.3, 0.4
    s = x + y
    dx, dy = gradient(quotients, (x, y), "coarsened")
    assert dx == pytest.approx(y / s**3 - 3 * x * y / s**4, rel=1e-13)
    assert dy == pytest.approx(x / s**3 - 3 * x * y / s**4, rel=1e-13)


def test_single_precision_stays_single():
    x = np.float32(1.3)
    (dx, _) = gradient(quotients, (x, np.float32(0.4)), "coarsened")
    assert np.asarray(dx).dtype == np.float32
    assert dx == pytest.approx(gradient(quotients, (1.3, 0.4), "redundant")[0], rel=1e-5)


def test_forward_mode_and_second_order():
    function = tl.function(quotients)
    for case in ((1.3, 0.4), (0.2, 2.5)):
        for transform in (tl.jacfwd, tl.hessian):
            mine, other = (transform(function, argnums=(0, 1), method=m)(*case) for m in ("coarsened", "redundant"))
            np.testing.assert_allclose(np.ravel(mine), np.ravel(other), rtol=1e-12, atol=1e-13)


LOOPS = [case for case in CASES if "loop" in case or "descent" in case]


@pytest.mark.one_in(30)
@pytest.mark.parametrize("case", LOOPS)
def test_tangents_of_loops_are_those_of_redundant(case):
    function, arguments = CASES[case]
    towards = tuple(None if isinstance(each, int) else 0.3 * each + 0.1 for each in arguments)
    mine, other = (tl.jvp(tl.function(function), arguments, towards, method=m) for m in ("coarsened", "redundant"))
    assert mine[0] == other[0]
    assert mine[1] == pytest.approx(other[1], rel=1e-12)
    mine, other = (tl.jacfwd(tl.function(function), method=m)(*arguments) for m in ("coarsened", "redundant"))
    assert mine == pytest.approx(other, rel=1e-11)


def test_forward_mode_solves_loops():
    function, arguments = tl.function(affine), (0.97, 0.4, 1.5, 30)
    tangent = tl.compile(tl.jacfwd(function, method="coarsened"), arguments)
    assert "differentiated as a whole" in tangent.explain()
    assert "math.ctlz" in tangent.ir("ad")
    assert "math.ctlz" not in tl.compile(tl.jacfwd(function, method="redundant"), arguments).ir("ad")


@pytest.mark.thorough
@pytest.mark.parametrize("steps", [0, 1, 30])
def test_second_order_of_closed_forms(steps):
    mine, other = (
        tl.hessian(affine, argnums=(0, 1, 2), method=m)(0.97, 0.4, 1.5, steps) for m in ("coarsened", "redundant")
    )
    np.testing.assert_allclose(np.ravel(mine), np.ravel(other), rtol=1e-12, atol=1e-13)


def test_explain_lists_segments_with_what_they_cost():
    kernel = tl.compile(tl.grad(tl.function(quotients), method="coarsened"), (1.3, 0.4))
    (line,) = [line for line in kernel.explain().splitlines() if line.startswith("  segment")]
    assert "test_coarsened.py" in line and "5 operations from 2 to 1 values" in line


def test_explain_lists_loops():
    kernel = tl.compile(tl.grad(tl.function(affine), method="coarsened"), (0.97, 0.4, 1.5, 30))
    (line,) = [line for line in kernel.explain().splitlines() if line.startswith("  segment")]
    assert "test_coarsened.py" in line and "a loop from 4 to 1 values, differentiated as a whole" in line


def as_a_whole(kernel):
    """The code of a kernel up to what it has for where its gradient is not finite."""
    usual, _ = kernel.ir("ad").split("} else {")
    return usual


def test_powers_of_a_root_are_products():
    kernel = tl.compile(tl.grad(tl.function(pair), argnums=(0, 1), method="coarsened"), (0.9, 0.4))
    assert "math.powf" in tl.compile(tl.grad(tl.function(pair), method="redundant"), (0.9, 0.4)).ir("ad")
    assert "math.powf" not in as_a_whole(kernel)
    for scale in (1e-20, 1e-3, 1.0, 1e3, 1e20):
        x, y = 0.9 * scale, 0.4 * scale
        expected = gradient(pair, (x, y), "redundant")
        np.testing.assert_allclose(kernel(x, y), expected, rtol=1e-13)


def test_a_root_that_is_there_is_not_taken_again():
    kernel = tl.compile(tl.grad(tl.function(spring), argnums=(0, 1), method="coarsened"), (0.9, 0.4, 3.0, 0.5))
    assert as_a_whole(kernel).count("math.sqrt") == 1
    assert as_a_whole(kernel).count("arith.divf") == 1


def test_only_the_derivative_that_is_asked_for_is_weighed():
    in_x = tl.compile(tl.grad(tl.function(spring), argnums=(0, 1), method="coarsened"), (0.9, 0.4, 3.0, 0.5))
    in_stiffness = tl.compile(tl.grad(tl.function(spring), argnums=2, method="coarsened"), (0.9, 0.4, 3.0, 0.5))
    assert "  segment" in in_x.explain()
    assert "  segment" not in in_stiffness.explain()


def attraction(x, y, z):
    r = x * x + y * y + z * z
    s = 1.0 / (r * r * r)
    return 4.0 * (s * s - s)


def test_explain_shows_gradients():
    kernel = tl.compile(tl.grad(tl.function(attraction), argnums=(0, 1, 2), method="coarsened"), (0.3, 0.7, 0.1))
    text, latex = kernel.explain(), kernel.explain(latex=True)
    assert "  vjp     " in text and "12 operations instead of 22" in text
    assert "v1 = x1**2 + x2**2 + x3**2" in text
    assert "x3_bar = x3*t2" in text
    assert r"v_{1} &= x_{1}^{2} + x_{2}^{2} + x_{3}^{2} \\" in latex
    assert r"x_{3, bar} &= x_{3} t_{2} \\" in latex


def test_explain_names_the_rules_that_fired():
    kernel = tl.compile(tl.grad(tl.function(in_branches), method="coarsened"), (0.4, 1.7))
    assert "rules: " in kernel.explain()


def test_explain_shows_tangents_and_powers():
    function = tl.function(affine)
    gradient = tl.compile(tl.grad(function, method="coarsened"), (0.97, 0.4, 1.5, 30)).explain()
    assert "x3_bar = " in gradient and "pow(" in gradient and "slope_of_geometric_sum(" in gradient
    tangent = tl.compile(tl.jacfwd(tl.function(attraction), method="coarsened"), (0.3, 0.7, 0.1)).explain()
    assert "  jvp     " in tangent and "y1_dot = " in tangent


def logarithm(x, y):
    r = x * x + y * y
    q = x / r + y / r
    return tl.log(1.0 + r) * 0.5 + q * q


def decay(k, x, n):
    for _ in range(n):
        x = x - 0.01 * k * x
    return x


def test_values_of_segments_that_only_the_function_needs_are_not_computed():
    function = tl.function(logarithm)
    arguments = {"argnums": (0, 1), "method": "coarsened"}
    alone, both = (tl.compile(each(function, **arguments), (0.3, 0.7)) for each in (tl.grad, tl.value_and_grad))
    assert "segment" in alone.explain()
    assert "math.log" in both.ir("ad") and "math.log" not in alone.ir("ad")


def test_loops_whose_values_only_the_function_needs_are_not_run():
    """One loop doubles, and one goes step by step where that overflows; the third one is that of the function."""
    function = tl.function(decay)
    for transform, loops in ((tl.grad, 2), (tl.value_and_grad, 3)):
        kernel = tl.compile(transform(function, method="coarsened"), (0.3, 0.7, 10))
        usual, *_ = kernel.ir("ad").split('exact = "steps"')
        assert usual.count("scf.for") == loops
