"""Fixed-point cells: exact inverses, the grid, its ends, and what calls give and take."""

from fractions import Fraction

import numpy as np
import pytest

import tapeless as tl

pytestmark = pytest.mark.one_in(2)

UNITS = 2**43


def units(value):
    """The nearest number of units, ties to even, by exact rational arithmetic."""
    return round(Fraction(float(value)) * UNITS)


@tl.reversible
def walk(y: tl.fixed43, x: tl.In[tl.f64[:]]):
    for i in range(len(x)):
        y += tl.sin(x[i])


@tl.reversible
def float_walk(y: tl.f64, x: tl.In[tl.f64[:]]):
    for i in range(len(x)):
        y += tl.sin(x[i])


@tl.reversible
def oscillate(q: tl.fixed43, p: tl.fixed43, dt: tl.In[tl.f64], steps: tl.In[tl.i64]):
    for _ in range(steps):
        q += dt * p
        p -= dt * q


@tl.reversible
def orbit(q: tl.fixed43[:, 2], p: tl.fixed43[:, 2], dt: tl.In[tl.f64], steps: tl.In[tl.i64]):
    """Leapfrog of two bodies."""
    for _ in range(steps):
        q += 0.5 * dt * p
        for k in range(2):
            dx = q[1 - k, 0] - q[k, 0]
            dy = q[1 - k, 1] - q[k, 1]
            r2 = dx * dx + dy * dy + 0.01
            p[k, 0] += dt * dx / (r2 * tl.sqrt(r2))
            p[k, 1] += dt * dy / (r2 * tl.sqrt(r2))
        q += 0.5 * dt * p


def test_random_walk_comes_back_to_the_last_bit_where_floats_leave_a_rest():
    x = np.random.default_rng(1).normal(size=10_000)
    far = walk(0.1, x)
    assert abs(float(far[0]) - 0.1 - np.sum(np.sin(x))) < 1e-9
    assert (~walk)(*far)[0].raw == units(0.1)
    rest = (~float_walk)(*float_walk(0.1, x))[0] - 0.1
    assert 0 < abs(rest) < 1e-10


def test_every_step_is_that_of_integers():
    q, p, dt = units(1.0), units(0.25), 0.01
    for _ in range(1000):
        q += units(dt * (p / UNITS))
        p -= units(dt * (q / UNITS))
    far = oscillate(1.0, 0.25, dt, 1000)
    assert (int(far[0].raw), int(far[1].raw)) == (q, p)


def test_ten_thousand_steps_of_leapfrog_there_and_back_are_exact():
    q = np.array([[-0.5, 0.0], [0.5, 0.1]])
    p = np.array([[0.1, -0.6], [-0.1, 0.6]])
    far = orbit(q, p, 1e-3, 10_000)
    assert np.max(np.abs(np.asarray(far[0]) - q)) > 0.01
    back = (~orbit)(*far)
    assert np.all(back[0] == tl.fixed43(q))
    assert np.all(back[1] == tl.fixed43(p))


def test_arguments_are_rounded_to_the_grid_with_ties_to_even():
    @tl.reversible
    def same(y: tl.fixed43[:]):
        y += 0.0

    halves = np.array([0.5, 1.5, 2.5, -0.5, -1.5]) / UNITS
    assert same(halves)[0].raw.tolist() == [0, 2, 2, 0, -2]


def test_what_is_added_is_rounded_to_the_grid_with_ties_to_even():
    @tl.reversible
    def add(y: tl.fixed43[:], x: tl.In[tl.f64[:]]):
        y += x

    values = np.concatenate([np.array([0.5, 1.5, 2.5, -0.5]) / UNITS, np.random.default_rng(2).normal(size=100) * 1e5])
    assert add(np.zeros(len(values)), values)[0].raw.tolist() == [units(value) for value in values]


def test_ancillas_on_the_grid():
    @tl.reversible
    def product(y: tl.fixed43, a: tl.In[tl.fixed43[:]], b: tl.In[tl.fixed43[:]]):
        with (
            tl.ancilla(tl.zeros(len(a), tl.fixed43)) as t,
            tl.ancilla(tl.fixed43(0.0)) as s,
            tl.ancilla(0.0, dtype=tl.fixed43) as z,
        ):
            with tl.routine() as r:
                t += a * b
                s += tl.sum(t)
                z += s
            y += z
            ~r

    a, b = np.array([1.5, -2.25, 3.0]), np.array([0.5, 4.0, 1.0])
    far = product(1.0, a, b)
    assert float(far[0]) == 1.0 + a @ b
    assert (~product)(*far)[0] == tl.fixed43(1.0)


def test_ancillas_are_compared_exactly():
    @tl.reversible
    def leave(y: tl.fixed43):
        with tl.ancilla(tl.fixed43(0.0)) as z:
            z += 2.0**-43
            y += z

    with pytest.raises(tl.InvertibilityError, match=r"does not hold its last value: it is 1\.13.*e-13 and not 0"):
        leave(0.0)
    assert float(tl.jit(leave, checks="off")(0.0)[0]) == 2.0**-43


def test_an_exit_value_is_rounded_too():
    @tl.reversible
    def count(y: tl.fixed43):
        with tl.ancilla(tl.fixed43(0.0), exit=tl.fixed43(0.3)) as z:
            z += 0.1
            z += 0.2
            y += z

    with pytest.raises(tl.InvertibilityError):  # the sum of two rounded numbers is one unit off
        count(0.0)


def test_swaps_signs_parts_and_calls():
    @tl.reversible
    def turn(a: tl.fixed43, b: tl.fixed43):
        a, b = b, a
        a = -a

    @tl.reversible
    def rows(m: tl.fixed43[:, :], s: tl.fixed43):
        for i in range(len(m)):
            turn(m[i, 0], m[i, 1])
            s += m[i, 0] * m[i, 1]
        m[:, 1] += m[:, 0]

    m = np.array([[1.0, 2.0], [3.0, -4.0]])
    far = rows(m, 0.5)
    assert np.array_equal(np.asarray(far[0]), [[-2.0, -1.0], [4.0, 7.0]])
    assert float(far[1]) == 0.5 - 2.0 + 12.0
    assert np.all((~rows)(*far)[0] == tl.fixed43(m))


@pytest.mark.parametrize("value", [2.0**20, -(2.0**20), np.nan, np.inf])
def test_arguments_beyond_the_grid_are_refused(value):
    with pytest.raises(tl.ArgumentError, match=r"argument 'y': .* is no fixed-point number"):
        walk(value, np.zeros(1))


@pytest.mark.parametrize("value", [2.0**20, -np.inf, np.nan])
def test_what_is_added_must_be_on_the_grid(value):
    @tl.reversible
    def add(y: tl.fixed43, x: tl.In[tl.f64]):
        y += x

    with pytest.raises(tl.InvertibilityError, match=r"is no fixed-point number: those are smaller than 2\*\*20"):
        add(0.0, value)


def test_sums_beyond_the_grid_are_found():
    @tl.reversible
    def add(y: tl.fixed43[:], x: tl.In[tl.f64]):
        y += x

    largest = 2.0**20 - 1.0
    assert np.asarray(add([0.0, -largest], largest)[0]).tolist() == [largest, 0.0]
    with pytest.raises(tl.InvertibilityError, match="leaves its range"):
        add([0.0, largest], largest)
    with pytest.raises(tl.InvertibilityError, match="leaves its range"):
        (~add)([-largest], largest)


def test_results_are_numbers():
    number = tl.fixed43(0.5)
    array = tl.fixed43([[0.5, 1.0], [2.0, 4.0]])
    assert (float(number), number.shape, int(number.raw)) == (0.5, (), UNITS // 2)
    assert (array.shape, array.ndim, len(array)) == ((2, 2), 2, 2)
    assert array[1, 0] == tl.fixed43(2.0)
    assert array[0, 0] == 0.5
    assert repr(number) == "tl.fixed43(0.5)"
    assert np.asarray(array).dtype == np.float64
    assert tl.fixed43(number) is number


def test_numbers_of_another_system_are_refused():
    with pytest.raises(tl.TypeMismatch, match=r"argument 'y': it is tl.ulog, and the parameter tl.fixed43"):
        walk(tl.ulog(1.0), np.zeros(1))
    with pytest.raises(tl.TypeMismatch, match=r"tl.fixed43 takes numbers"):
        walk("1", np.zeros(1))

    @tl.reversible
    def plain(y):
        y += 1.0

    with pytest.raises(tl.TypeMismatch, match=r"annotate the parameter with tl.fixed43"):
        plain(tl.fixed43(1.0))


def test_functions_take_floats_and_call_procedures_with_them():
    with pytest.raises(tl.TypeMismatch, match="which only cells of procedures hold"):

        @tl.function
        def f(x: tl.fixed43):
            return x

    @tl.function
    def far(y, x):
        result, _ = walk(y, x)
        return result

    x = np.linspace(0, 1, 5)
    assert far(0.5, x) == float(walk(0.5, x)[0])


def test_in_place_calls_put_floats_into_the_arrays_of_the_caller():
    @tl.reversible
    def up(y: tl.fixed43[:]):
        y += 0.25

    y = np.array([1.0, 2.0])
    assert up(y, inplace=True)[0] is y
    assert y.tolist() == [1.25, 2.25]


def refused(procedure, error, match):
    with pytest.raises(error, match=match):
        procedure(0.5)


def test_what_rounds_on_the_grid_is_refused():
    @tl.reversible
    def scaled(y: tl.fixed43):
        y *= 2.0

    @tl.reversible
    def inverted(y: tl.fixed43):
        tl.recip(y)

    @tl.reversible
    def flipped(y: tl.fixed43):
        y ^= 1

    @tl.reversible
    def stacked(y: tl.fixed43):
        with tl.ancilla(tl.new_stack(tl.fixed43, 3)) as s:
            tl.push(s, y)
            tl.pop(s, y)

    refused(scaled, tl.NotReversible, "loses what is smaller than its unit")
    refused(inverted, tl.TypeMismatch, "tl.recip on a cell of tl.fixed43")
    refused(flipped, tl.TypeMismatch, r"'\^=' on a cell of tl.fixed43")
    refused(stacked, tl.TypeMismatch, "a stack cannot hold tl.fixed43 yet")


@tl.reversible
def count_down(y: tl.fixed43, n: tl.In[tl.i64]):
    if n > 0:
        y += 1.0 / n
        count_down(y, n - 1)


def test_procedures_on_the_grid_may_call_themselves():
    far = count_down(0.5, 4)
    assert int(far[0].raw) == units(0.5) + sum(units(1.0 / n) for n in range(1, 5))
    assert (~count_down)(*far)[0] == tl.fixed43(0.5)


@tl.reversible
def spread(y: tl.fixed43[:], x: tl.In[tl.fixed43]):
    y += x


def test_ancillas_like_a_cell_and_values_for_cells_that_are_only_read():
    @tl.reversible
    def use(y: tl.fixed43[:], a: tl.In[tl.f64]):
        with tl.ancilla(tl.zeros_like(y)) as z, tl.ancilla(tl.full(2, 0.25, dtype=tl.fixed43)) as w:
            with tl.routine() as r:
                spread(z, 0.1)
                spread(z, a * a)
                z += w[0]
            y += z
            ~r

    far = use(np.zeros(3), 0.3)
    expected = units(0.1) + units(0.3 * 0.3) + units(0.25)
    assert far[0].raw.tolist() == [expected] * 3
    assert np.all((~use)(*far)[0] == tl.fixed43(np.zeros(3)))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("function", [tl.sin, tl.exp, tl.log1p, tl.tanh, tl.erf, tl.cbrt])
def test_functions_of_whole_arrays_come_back(function):
    """Both directions round alike, whether elements are computed one by one or in lanes."""

    @tl.reversible
    def by_elements(y: tl.fixed43[:], x: tl.In[tl.f64[:]]):
        for i in range(len(x)):
            y[i] += function(x[i])

    @tl.reversible
    def at_once(y: tl.fixed43[:], x: tl.In[tl.f64[:]]):
        y += function(x)

    x = np.random.default_rng(5).uniform(0.0, 3.0, size=1001)
    far = at_once(np.zeros(1001), x)
    assert np.all((~by_elements)(*far)[0].raw == 0)
