"""Statements: assignments, updates, branches, returns, nested functions."""

import numpy as np
import pytest

import tapeless as tl
from frontend.running import check, compare

X = np.array([3.0, -1.0, 4.0, -1.5, 5.0])


def test_doc_strings_pass_and_annotations():
    def f(x):
        """Doubles."""
        y: float = 2 * x
        pass
        return y

    check(f, 1.5)


def test_named_expressions():
    def conditions(x):
        total = 0.0
        for v in (doubled := x * 2.0):
            if (square := v * v) > 9.0:
                continue
            elif (more := square + 1.0) > 1.5:
                total += more
            else:
                break
            total += square
        return total, doubled

    def loops(x):
        value, count = x[0] + 10.0, 0
        while (half := value * 0.5) > 1.0:
            value = half
            count = (count := count + 1)
            if count == 2:
                continue
        return value, count, half

    def expressions(x):
        y = (s := np.sum(x)) * s + (q := s + 1.0)
        y += (r := q * 2.0)
        x[(k := 1)] = r
        assert (n := len(x)) > k  # noqa: RUF018
        return (z := y * n) + z, s, q, x

    for function in (conditions, loops, expressions):
        check(function, np.array([0.3, -1.2, 2.5, 0.7, 1.1]))
        with tl.disable_jit():
            found = tl.function(function)(np.array([0.3, -1.2, 2.5, 0.7, 1.1]))
        compare(found, function(np.array([0.3, -1.2, 2.5, 0.7, 1.1])))
    with pytest.raises(tl.FrontendError, match="':=' is not supported here"):
        tl.function(lambda x: (y := x) + y)
    with pytest.raises(tl.FrontendError, match="':=' is not supported here"):
        tl.reversible(named_in_a_procedure)


def named_in_a_procedure(x: tl.f64):
    x += (y := 2.0) + y


def test_unpacking():
    def f(a, b):
        (c, d), e = (a, b), a + b
        c, d = d, c
        g = h = c
        return c, d, e, g, h

    check(f, 1.0, 2.0)


def test_swapping_elements():
    def f(x, i, j):
        y = x.copy()
        y[i], y[j] = y[j], y[i]
        return y

    check(f, X, 1, 3)


def test_updates():
    def f(a, n):
        a += 1
        a -= 0.5
        a *= 3
        a /= 7
        a **= 2
        n += 3
        n *= 2
        n //= 3
        n %= 4
        n -= 9
        return a, n

    check(f, 2.5, 6)


def test_array_updates_keep_the_dtype():
    def f(x, y):
        z = x.copy()
        z += y
        z *= 2
        z[1:] -= 1
        return z

    assert check(f, X.astype(np.float32), X, rtol=1e-6).dtype == np.float32


def test_arrays_are_values():
    def f(x):
        b = x
        b[0] = 100.0
        row = b
        row[1] = -100.0
        return x, b, row

    expected = X.copy(), X.copy(), X.copy()
    expected[1][0] = expected[2][0] = 100.0
    expected[2][1] = -100.0
    check(f, X, expected=expected)


def test_branches():
    def f(a, b):
        if a > b:
            c = a
            d = 1
        elif a == b:
            c = 0.0
            d = 2
        else:
            c = b
            d = 3
        if d > 1:
            c = c + 100
        return c, d

    for pair in ((1.0, 2.0), (2.0, 2.0), (3.0, 2.0)):
        check(f, *pair)


def test_returns_in_every_branch():
    def f(a):
        if a > 2:
            return a, 1
        elif a > 1:
            b = a * 2
            return b, 2
        else:
            if a > 0:
                return 0, 3
            return a - 1.0, 4

    for a in (3.0, 1.5, 0.5, -1.0):
        check(f, a, expected=(float(f(a)[0]), f(a)[1]))


def test_early_returns():
    def f(a):
        if a < 0:
            return -1.0
        b = a * 2
        if b > 4:
            return b
        return b + 0.5

    for a in (-1.0, 1.0, 3.0):
        check(f, a)


def test_branches_with_arrays_of_different_sizes():
    def f(x, c):
        if c:
            y = x[1:]
        else:
            y = x[:2] * 2
        return y + 1

    check(f, X, True)
    check(f, X, False)


def test_a_known_condition_keeps_one_branch():
    def f(x):
        if x.ndim == 1:
            return np.sum(x)
        else:
            return np.sum(x[0, 0])

    check(f, X)


def test_the_same_value_in_both_branches():
    def f(x, c):
        y = 0.0
        if c:
            y = x
        else:
            y = x
        return y

    check(f, 2.0, True)


def test_names_of_different_kinds_that_nothing_reads():
    def f(x, c):
        if c:
            t = x[0]
            y = t * 2
        else:
            t = x * 2
            y = t[1]
        return y

    check(f, X, True)
    check(f, X, False)


def test_nested_functions_see_the_names_around_them():
    def f(x, k):
        def scaled(v, by=2.0, *, plus=0.0):
            return v * by * k + plus

        k = k + 1
        shifted = lambda v: scaled(v, plus=1.0)  # noqa: E731
        return scaled(x), scaled(x, 3.0), shifted(x), scaled(by=x, v=2.0)

    check(f, 1.5, 2)


def test_nested_functions_with_branches_and_loops():
    def f(x):
        def clipped(v):
            if v < 0:
                return 0.0
            return v

        total = 0.0
        for v in x:
            total += clipped(v)
        return total

    check(f, X)


def test_functions_returning_tuples():
    def f(x):
        def parts(v):
            return v + 1, (v * 2, v - 1)

        a, (b, c) = parts(x)
        return a, b, c, parts(x)[1][0]

    check(f, 2.0)


def test_markers():
    def f(x):
        return tl.stop_gradient(x) * x, tl.checkpoint(lambda v: (v + v, v))(x)

    check(f, X, expected=(X * X, (2 * X, X)))
