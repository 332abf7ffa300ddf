"""Every statement of procedures: what it computes, and that the inverse undoes it."""

import linecache

import numpy as np
import pytest

import tapeless as tl

pytestmark = pytest.mark.one_in(2)


def check(procedure, arguments, expected):
    """The results of a procedure are as expected, and its inverse gives the arguments back."""
    results = procedure(*arguments)
    assert len(results) == len(arguments)
    for result, wanted in zip(results, expected, strict=True):
        np.testing.assert_allclose(result, wanted, rtol=1e-13, atol=1e-13)
    for result, wanted in zip((~procedure)(*results), arguments, strict=True):
        np.testing.assert_allclose(result, wanted, rtol=1e-12, atol=1e-12)


def test_integers_and_bools_are_flipped():
    @tl.reversible
    def flip(n, b, y, m):
        n ^= m
        n ^= 3
        b ^= m > 1
        y[1] ^= n

    check(flip, (5, True, np.array([1, 2]), 9), (15, False, [1, 2 ^ 15], 9))


def test_constants_scale_cells_and_parts():
    @tl.reversible
    def scale(x, y):
        x *= 3.0
        y[1] /= 2.0
        y[1:] *= -1.5
        y *= 2

    check(scale, (2.0, np.arange(1.0, 5)), (6.0, [2, -3, -9, -12]))


def test_swaps_signs_and_reciprocals():
    @tl.reversible
    def turn(a, b, y, n):
        a, b = b, a
        y[0], y[2] = y[2], y[0]
        y[0], a = a, y[0]
        a = -a
        y[1] = -y[1]
        n = -n
        tl.recip(b)
        tl.recip(y[2])

    check(turn, (1.0, 2.0, np.arange(1.0, 5), 7), (-3.0, 1.0, [2, -2, 1, 4], -7))


def test_rows_and_columns_are_swapped():
    @tl.reversible
    def swap(m, i, j):
        m[i], m[j] = m[j], m[i]
        m[:, 0], m[:, 1] = m[:, 1], m[:, 0]

    m = np.arange(6.0).reshape(3, 2)
    check(swap, (m, 0, 2), (m[[2, 1, 0]][:, ::-1], 0, 2))


def test_rotations_keep_norms():
    @tl.reversible
    def rotate(a, b, y, angle):
        tl.rot(a, b, angle * 2)
        tl.hadamard(y[0], y[1])
        for i in range(len(y) - 1):
            tl.rot(y[i], y[i + 1], angle)

    y = np.array([1.0, -2.0, 0.5])
    c, s = np.cos(0.6), np.sin(0.6)
    turned = np.array([-1.0, 3.0, 0.5]) * [np.sqrt(0.5), np.sqrt(0.5), 1]
    for i in range(2):
        block = np.array([[np.cos(0.3), -np.sin(0.3)], [np.sin(0.3), np.cos(0.3)]])
        turned[i : i + 2] = block @ turned[i : i + 2]
    check(rotate, (1.0, 2.0, y, 0.3), (c - 2 * s, s + 2 * c, turned, 0.3))


def test_ancillas_hold_what_routines_compute():
    @tl.reversible
    def moments(y, x: tl.In[tl.f64[:]]):
        with tl.ancilla(0.0) as total, tl.ancilla(tl.zeros(len(x))) as twice:
            with tl.routine() as r:
                for i in range(len(x)):
                    total += x[i]
                twice += x * 2
            y += total * total
            for i in range(len(x)):
                y += twice[i]
            ~r

    check(moments, (1.0, np.arange(1.0, 5)), (121.0, np.arange(1.0, 5)))


def test_ancillas_may_end_with_another_value():
    @tl.reversible
    def count(y):
        with tl.ancilla(0.0, exit=1.0) as z:
            z += 1.0
            y += z
        with tl.ancilla(3, exit=4) as k, tl.ancilla(False) as b:
            k += 1
            b ^= True
            y += k
            b ^= True

    check(count, (1.0,), (6.0,))


def test_ancillas_take_the_type_they_are_given():
    @tl.reversible
    def copy(y: tl.f32[:]):
        with tl.ancilla(0.0, dtype=tl.f32) as z, tl.ancilla(tl.zeros_like(y)) as w:
            z += y[0]
            w += y
            y[1] += z
            w -= y
            w[1] += z
            z -= y[0]

    check(copy, (np.array([1.0, 2.0], np.float32),), ([1.0, 3.0],))


def test_names_of_ended_ancillas_are_free_again():
    @tl.reversible
    def twice(y, x):
        for i in range(2):
            with tl.ancilla(0.0) as z:
                z += x
                y += z
                z -= x
        with tl.ancilla(0.0) as z:
            z += x
            y += z
            z -= x

    check(twice, (0.0, 2.0), (6.0, 2.0))


def test_routines_in_routines():
    @tl.reversible
    def power(y, x: tl.In[tl.f64]):
        with tl.ancilla(0.0) as square, tl.ancilla(0.0) as fourth:
            with tl.routine() as a:
                square += x * x
            with tl.routine() as b:
                fourth += square * square
            y += fourth * x
            ~b
            ~a

    check(power, (0.0, 2.0), (32.0, 2.0))


def test_other_elements_of_what_a_routine_reads_may_change():
    @tl.reversible
    def mix(y, z):
        for i in range(1, len(y)):
            with tl.routine() as r:
                z += y[i - 1] * 2
            y[i] += z
            ~r

    check(mix, (np.arange(4.0), 0.0), ([0, 1, 4, 11], 0.0))


@pytest.mark.parametrize(("x", "y"), [(2.0, 3.0), (-2.0, 5.0), (-0.5, -1.0)])
def test_branches(x, y):
    @tl.reversible
    def choose(y, x: tl.In[tl.f64]):
        if x > 0:
            y += x
        elif x < -1:
            y -= 2 * x
        else:
            y = -y

    check(choose, (1.0, x), (y, x))


def test_branches_on_what_they_change_have_two_conditions():
    @tl.reversible
    def pair(n):
        if tl.cond(n % 2 == 1, n % 2 == 0):
            n += 1
        else:
            n -= 1

    check(pair, (3,), (4,))
    check(pair, (4,), (3,))


def test_a_condition_may_read_other_elements_of_a_changed_array():
    @tl.reversible
    def relu(y):
        for i in range(1, len(y)):
            if y[i] > 0:
                y[i - 1] += 1.0

    check(relu, (np.array([1.0, 2.0, -1.0]),), ([2.0, 2.0, -1.0],))


def test_conditions_that_are_known_choose_when_compiling():
    flag = True

    @tl.reversible
    def choose(y):
        if flag:
            y += 1.0
        else:
            y -= 1.0

    check(choose, (1.0,), (2.0,))


def test_while_with_both_conditions():
    @tl.reversible
    def up(n):
        while tl.cond(n < 100, n > 0):
            n += 9

    check(up, (0,), (108,))


@pytest.mark.one_in(31)
@pytest.mark.parametrize("step", [-4, -3, -2, -1, 1, 2, 3, 4])
@pytest.mark.parametrize(("start", "stop"), [(0, 5), (5, 0), (2, 2), (-3, 4), (4, -3), (0, 6), (1, 7)])
def test_loops_visit_their_range_and_back(start, stop, step):
    @tl.reversible
    def constant(trace, place):
        for i in range(start, stop, step):
            trace[place] += i
            place += 1

    @tl.reversible
    def computed(trace, place, start: tl.In[tl.i64], stop: tl.In[tl.i64], step: tl.In[tl.i64]):
        for i in range(start, stop, step):
            trace[place] += i
            place += 1

    visits = list(range(start, stop, step))
    trace = np.zeros(8, np.int64)
    expected = visits + [0] * (8 - len(visits))
    check(constant, (trace, 0), (expected, len(visits)))
    check(computed, (trace, 0, start, stop, step), (expected, len(visits), start, stop, step))


def test_the_inverse_of_a_loop_visits_backwards():
    @tl.reversible
    def mix(y):
        for i in range(1, len(y)):
            y[i] += y[i - 1] * 2.0

    y = np.arange(1.0, 6)
    expected = y.copy()
    for i in range(1, 5):
        expected[i] += expected[i - 1] * 2
    check(mix, (y,), (expected,))


def test_indices_and_bounds_may_read_cells_that_change():
    @tl.reversible
    def walk(y, k, order: tl.In[tl.i64[:]]):
        k += 1
        y[k] += 2.0
        k += 1
        y[k] -= y[k - 1]
        for i in range(len(order)):
            j = order[i]
            y[j] += 1.0
        for i in range(k):
            y[i] += 1

    check(walk, (np.arange(5.0), 0, np.array([1, 4])), ([1, 5, -1, 3, 5], 2, [1, 4]))


def test_parts_of_matrices():
    @tl.reversible
    def parts(m, s):
        m[:, 0] += m[:, 1]
        m[0, 1:] -= m[1, 1:]
        m[0] += m[1] * s
        m[0, 0] += m[1, 1]
        m[::2] += 1.0
        m[1:, 1] += tl.sum(m[:1, :2])

    m = np.arange(12.0).reshape(4, 3)
    e = m.copy()
    e[:, 0] += e[:, 1]
    e[0, 1:] -= e[1, 1:]
    e[0] += e[1] * 2
    e[0, 0] += e[1, 1]
    e[::2] += 1
    e[1:, 1] += np.sum(e[:1, :2])
    check(parts, (m, 2.0), (e, 2.0))


def test_even_and_odd_elements_lift_each_other():
    @tl.reversible
    def lift(y):
        y[::2] += y[1::2]
        y[1::2] -= y[::2] * 0.5

    check(lift, (np.arange(8.0),), ([1, 0.5, 5, 0.5, 9, 0.5, 13, 0.5],))


def test_elements_of_rank_three():
    @tl.reversible
    def prefix(m):
        for i in range(m.shape[0]):
            for j in range(m.shape[1]):
                m[i, j] += 1.0
                for k in range(1, m.shape[2]):
                    m[i, j, k] += m[i, j, k - 1]
        m[:, 0, :] += m[:, 1, :]

    m = np.random.default_rng(3).normal(size=(2, 3, 4))
    expected = np.cumsum(m + 1, axis=2)
    expected[:, 0] += expected[:, 1]
    check(prefix, (m,), (expected,))


def test_temporaries_are_computed_where_they_are_used():
    @tl.reversible
    def use(y, x, n):
        t = x * x
        u, v = t + 1, t - 1
        y += u * v
        k = n + 1
        y += k
        for i in range(k):
            s = i * 2.0
            y += s * t

    check(use, (1.0, 2.0, 3), (68.0, 2.0, 3))


def test_temporaries_of_temporaries_are_computed_once_per_statement():
    lines = ["def f(y, x):", "    t0 = x * 0.5"]
    lines += [f"    t{k + 1} = t{k} + 0.5 * t{k}" for k in range(40)]
    text = "\n".join([*lines, "    y += t40"])
    linecache.cache["<temporaries>"] = (len(text), None, text.splitlines(keepends=True), "<temporaries>")
    names = {}
    exec(compile(text, "<temporaries>", "exec"), names)
    check(tl.reversible(names["f"]), (1.0, 2.0), (1.0 + 1.5**40, 2.0))


def test_temporaries_outlive_changes_of_other_elements():
    @tl.reversible
    def use(y):
        t = y[0] * 2.0
        y[1] += t
        y[2] += t

    check(use, (np.array([1.0, 0.0, 0.0]),), ([1.0, 2.0, 2.0],))


def test_temporaries_in_the_branch_that_changes_nothing():
    @tl.reversible
    def use(y, x, c: tl.In[tl.bool_]):
        t = x * 2.0
        if c:
            x += 1.0
        else:
            y += t

    check(use, (1.0, 3.0, False), (7.0, 3.0, False))
    check(use, (1.0, 3.0, True), (1.0, 4.0, True))


def test_temporaries_of_what_a_routine_changed_and_restored():
    @tl.reversible
    def use(y, x, z):
        t = z * 2.0
        with tl.routine() as r:
            z += x
        y += z
        ~r
        y += t

    check(use, (0.0, 3.0, 1.0), (6.0, 3.0, 1.0))


def test_functions_and_operators_on_the_right_hand_side():
    @tl.function
    def poly(x, a):
        total = 0.0
        for i in range(len(a)):
            total = total * x + a[i]
        return total

    scale = np.array([1.0, 0.5])

    @tl.reversible
    def rhs(y, z, x: tl.In[tl.f64[:]]):
        def half(u):
            return u * 0.5

        y += poly(2.0, x) + tl.max(x) + half(x[0])
        z += tl.map(lambda u: u * y + tl.sum(x[1:]), x) if len(x) else x
        z[:2] += scale

    x = np.array([1.0, 2.0, 3.0])
    y = 11.0 + 3.0 + 0.5
    check(rhs, (0.0, np.zeros(3), x), (y, x * y + 5 + [1, 0.5, 0], x))


def test_stacks_move_numbers():
    @tl.reversible
    def keep(y, x):
        with tl.ancilla(tl.new_stack(tl.f64, 3)) as s:
            tl.push(s, x)
            y += x + 2.0
            tl.push(s, y)
            x += 1.0
            x -= 1.0
            tl.pop(s, y)
            tl.pop(s, x)

    check(keep, (1.0, 4.0), (3.0, 4.0))


def test_doc_strings_and_pass_do_nothing():
    @tl.reversible
    def idle(y):
        """Nothing happens."""
        pass

    check(idle, (1.0,), (1.0,))


def test_derivatives_on_the_right_hand_side():
    @tl.function
    def cube(x):
        return x * x * x

    @tl.custom_vjp
    @tl.function
    def doubled(x):
        return 2 * x

    doubled.defvjp(lambda x: (2 * x, x), lambda x, ct: (ct,))

    @tl.reversible
    def slope(y, x):
        y += tl.grad(cube)(x) + tl.stop_gradient(x) + doubled(x)

    check(slope, (1.0, 3.0), (37.0, 3.0))


@tl.reversible
def two_uses(y: tl.f64, w: tl.f64, x: tl.f64):
    with tl.ancilla(0.0) as z:
        with tl.routine() as first:
            z += tl.exp(x)
        y += z * z
        ~first
        with tl.routine() as second:
            z += tl.exp(x)
        w += y * z
        ~second


def test_two_routines_in_a_row_that_compute_the_same_are_one():
    once = tl.compile(two_uses, (0.0, 0.0, 0.5)).ir("rev-lower").count("math.exp")
    assert once == 2
    y, w, _ = two_uses(0.1, 0.2, 0.5)
    e = np.exp(0.5)
    assert y == pytest.approx(0.1 + e * e, rel=1e-14)
    assert w == pytest.approx(0.2 + (0.1 + e * e) * e, rel=1e-14)
    assert (~two_uses)(y, w, 0.5) == pytest.approx((0.1, 0.2, 0.5), abs=1e-14)
    gradient = tl.grad(two_uses, loss="w", argnums="x")(0.1, 0.2, 0.5)
    assert gradient == pytest.approx(3 * e**3 + 0.1 * e, rel=1e-13)
