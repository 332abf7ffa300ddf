"""Loops: ranges of all directions, break and continue, while, what survives a loop."""

import numpy as np
import pytest

import tapeless as tl
from frontend.running import check, run, text
from tapeless.errors import ArgumentError, FrontendError, TapelessError

X = np.array([3.0, -1.0, 4.0, -1.5, 5.0])


@pytest.mark.parametrize("bounds", [(0, 5, 1), (1, 9, 3), (5, 0, -1), (9, -1, -3), (3, 3, 1), (0, 5, -1), (-4, 4, 2)])
def test_ranges(bounds):
    def f(a, b, s):
        visited = 0
        for i in range(a, b, s):
            visited = visited * 10 + i
        return visited

    check(f, *bounds)


def test_ranges_with_constant_steps():
    def f(n):
        total = 0
        for i in range(n - 1, -1, -1):
            total = total * 3 + i
        for i in range(n, 0, -2):
            total = total * 3 + i
        for i in range(1, n, 2):
            total = total * 3 + i
        return total

    for n in (0, 1, 6):
        check(f, n)


def test_a_computed_step_of_zero_is_an_error():
    def f(s):
        total = 0
        for i in range(0, 3, s):
            total += i
        return total

    with pytest.raises(ArgumentError, match="step of a range is 0"):
        run(f, 0)


def test_the_loop_variable_keeps_its_last_value():
    def f(n):
        i = -5
        for i in range(n):
            pass
        j = i
        for j in range(1, n, 3):
            pass
        k = j
        for k in range(n, 2, -2):
            pass
        return i, j, k

    for n in (0, 1, 2, 8):
        check(f, n)


def test_a_loop_variable_without_a_value_is_an_error_when_read():
    def f(n):
        for i in range(n):
            pass
        return i

    check(f, 4)
    with pytest.raises(FrontendError, match="'i' has no value: its loop ran no iteration"):
        run(f, 0)


def test_the_loop_variable_after_break():
    def f(x):
        for i in range(len(x)):
            if x[i] > 3:
                break
        return i

    check(f, X)
    check(f, -X * 0)


def test_a_loop_variable_assigned_in_the_body():
    def f(n):
        i = 0
        total = 0
        for i in range(n):
            i = i * 2
            total += i
        return i, total

    check(f, 5)
    check(f, 0)


def test_break_and_continue():
    def f(x):
        total = 0.0
        count = 0
        for i in range(len(x)):
            if x[i] < 0:
                continue
            if total > 6:
                break
            total += x[i]
            count = count + 1
        return total, count

    check(f, X)
    check(f, X[:0])


def test_break_deep_inside_branches():
    def f(x):
        total = 0.0
        for v in x:
            if v > 0:
                if v > 4:
                    total += 100
                    break
                else:
                    total += 1
                    if total > 50:
                        continue
            elif v < -1.2:
                continue
            total += v
        return total

    check(f, X)
    check(f, np.array([60.0, 1.0]))
    check(f, np.array([1.0, 2.0, 60.0, 3.0]))


def test_break_of_an_inner_loop_only():
    def f(n):
        total = 0
        for i in range(n):
            for j in range(n):
                if j > i:
                    break
                total += j
            if total > 12:
                break
            total += 100 * 0
        return total, i

    check(f, 7)


def test_break_out_of_while():
    def f(n):
        count = 0
        while True:
            count += 1
            if n <= 1:
                break
            if n % 2 == 0:
                n = n // 2
                continue
            n = 3 * n + 1
        return count

    check(f, 27)


def test_while_with_a_condition_that_reads_arrays():
    def f(x):
        i = 0
        while i < len(x) and x[i] != 4.0:
            i += 1
        return i

    check(f, X)
    check(f, X[:2])


def test_a_break_skips_the_condition():
    def f(x):
        i = 0
        while x[i] != 5.0:
            i += 1
            if i == len(x):
                break
        return i

    check(f, X[:3])


def test_loops_over_elements_and_rows():
    def f(x, m):
        total = 0.0
        for v in x:
            total = 2 * total + v
        last = m[0]
        for row in m:
            last = last * row
        return total, last, v

    check(f, X, X.reshape(5, 1) * np.ones(3))


def test_many_names_change_together():
    def f(n):
        a, b = 0, 1
        for _ in range(n):
            a, b = b, a + b
        return a, b

    check(f, 30)


def test_loops_carry_tuples_and_arrays():
    def f(x, n):
        state = (x, 1)
        for i in range(n):
            y, k = state
            state = (y * 0.5 + i, k + 1)
        return state

    check(f, X, 4)


def test_an_array_may_change_its_size_in_a_loop():
    def f(n):
        x = np.zeros(1)
        for i in range(n):
            x = np.concatenate((x, x + i))
        return x

    check(f, 4)
    check(f, 0)


def test_temporaries_are_not_carried():
    def f(x):
        t = np.zeros(2)
        total = 0.0
        for i in range(len(x)):
            t = x[i] * 2
            total += t
        return total

    assert ") -> (f64) {" in text(f, X)
    check(f, X)


def test_bounded_while():
    def f(x, n):
        while tl.bounded(x > 1, n):
            x = x / 2
        return x

    assert run(f, 8.0, 3) == 1.0
    with pytest.raises(TapelessError, match="the loop ran more than 2 iterations"):
        run(f, 8.0, 2)


def test_hints_become_attributes():
    def f(x, n):
        for i in tl.range(n, stripmine=2, budget=3, true_dep=("x",), unroll=True):
            x = x * i
        while tl.bounded(x > 1, 10):
            x = x / 2
        return x

    ir = text(f, 1.0, 3)
    for attribute in ("ad.stripmine = 2", "ad.budget = 3", "ad.true_dep = array<i64: 0>", "ad.unroll", "ad.bound = 10"):
        assert attribute in ir
    assert run(f, 1.0, 3) == 0.0


def test_positions_of_true_dependencies_count_internal_values():
    def f(x, n):
        for i in tl.range(n, true_dep=("x",)):
            x = x * i
            if x > 3:
                break
        return x

    assert "ad.true_dep = array<i64: 2>" in text(f, 1.0, 3)


@pytest.mark.parametrize("size", [0, 2])
def test_loop_variables_that_only_operators_read_need_no_value_after_the_loop(size: int) -> None:
    def mapped(x, y, s):
        if s > 0:
            y = y * 2.0
        else:
            for row in x:
                y = tl.map(lambda a: a * row, y)
        return y

    def combined(x, y, s):
        while s < 0.0:
            for row in x:
                y = tl.scan(lambda a, b: a + b, 0.0, tl.map(lambda a: a * row, y))
                y = y + tl.reduce(lambda a, b: a + b, 0.0, tl.map(lambda a: a * row, y))
                y = tl.hist(lambda a, b: a + b * row, 0.0, y, tl.iota(2), y[:2])
            s = s + 1.0
        return y

    def derived(x, y, s):
        if s < 0:
            for row in x:
                y = y * tl.grad(lambda a: a * row)(1.0)
        return y

    x, y = np.array([2.0, 3.0])[:size], np.array([1.0, 0.5, 2.0])
    np.testing.assert_allclose(tl.function(derived)(x, y, -1.0), y * np.prod(x))
    np.testing.assert_allclose(tl.function(mapped)(x, y, -1.0), y * np.prod(x))
    wanted = y
    for row in x:
        wanted = np.cumsum(wanted * row)
        wanted = wanted + np.sum(wanted * row)
        wanted = wanted + np.array([row, row, 0.0]) * wanted
    np.testing.assert_allclose(tl.function(combined)(x, y, -1.0), wanted)


def test_functions_with_a_name_see_what_their_names_are_when_they_are_called():
    def f(x):
        scale = 1.0
        times = lambda a: a * scale  # noqa: E731
        for row in x:
            scale = row
        return times(3.0)

    check(f, X)
