"""Loops over `enumerate`, `zip`, `reversed`, tuples and lists, and unpacking, against Python and by derivatives."""

import numpy as np
import pytest

import tapeless as tl
from frontend.running import check, run
from tapeless.errors import ShapeMismatch

X, Y, M = np.arange(1.0, 6.0), np.arange(4.0) + 0.5, np.arange(12.0).reshape(3, 4)
METHODS = ("redundant", "reversible", "coarsened")


def counted(x, y, n):
    s = 0.0
    for i, v in enumerate(x):
        s += i * v
    for i, (v, w) in enumerate(zip(x, y, strict=False), 2):
        s = s * 0.5 + i * v * w
    for k in reversed(range(1, n, 2)):
        s = s * 0.5 + k
    for v in reversed(x):
        s = s * 0.5 + v
    for j, u in enumerate(x[:n], start=n):
        if u > 2.5:
            break
        s = s + j
    for (a, b), c in zip(enumerate(y), reversed(range(n)), strict=False):
        s = s * 0.9 + a * b * c
    for p, q in zip(x[: len(y)], y, strict=True):
        s = s + p * q
    return s, i, v, w, k, j, u, a, b, c, p, q


@pytest.mark.parametrize("n", [2, 3, 6])
def test_counted_loops_and_their_last_values(n):
    check(counted, X, Y, n)


def test_loops_over_tuples_and_lists():
    def f(x, y, m):
        s = 0.0
        for a, (b, c) in [(1, (2.0, 3)), (4, (5.5, 6))]:
            s = s + a * b * c
        for v, w in zip((1, 2.5), [x[0], y], strict=False):
            s = s + v * np.sum(w)
        for g in (np.sin, np.cos):
            s = s + g(s)
        for i, z in enumerate(reversed([x, y])):
            s = s * (i + 2) + z[i]
        for _ in ():
            s = s + 1000.0
        return s, a, b, c, v, w, i, z, len([x, y]), [x, y][1]

    check(f, X, Y, M)


@pytest.mark.parametrize("limit", [0.5, 1.5, 2.5, 9.0])
def test_breaks_in_loops_over_tuples(limit):
    def f(x, limit):
        s, seen = 0.0, 0
        for q in (1.0, 2.0, 3.0, 4.0):
            if q > limit:
                break
            seen += 1
            for r in [10.0, 20.0]:
                if r > 10.0 * limit:
                    continue
                s = s + r * q
            if q > 1.2:
                continue
            s = s + q * x[seen]
        return s, seen, q

    check(f, X, limit)


def test_the_rest_of_an_array_is_a_list():
    """Python's own meaning: elements, or rows, of any number, one by one or all of them."""

    def ends(x):
        first, *rest = x
        *others, last = x
        return first * last, len(rest), sum(rest), np.array(others) * 2.0, sum(v * v for v in rest), rest[-1]

    def rows(m):
        total = 0.0
        *above, last = m
        first, *_ = above
        for a, *b in m:
            total += a * np.sum(b)
        return total, first * last, np.stack(above)

    for vector in (np.arange(2.0), np.arange(5.0), np.arange(70)):
        check(ends, vector)
    check(rows, np.arange(12.0).reshape(3, 4))

    @tl.function
    def fixed(x: tl.f64[3]):
        first, *rest = x
        return first * rest[0] * rest[1], rest

    product, rest = fixed(np.array([2.0, 3.0, 4.0]))
    assert product == 24.0 and rest == [3.0, 4.0]
    with pytest.raises(ShapeMismatch, match="an array of 1 cannot be unpacked into 2 names and the rest; use 2 elem"):
        tl.function(lambda x: pair(x))(np.ones(1))


def pair(x):
    first, second, *_ = x
    return first * second


def test_arrays_are_unpacked():
    def f(x, m):
        a, b, c = m
        [d, (e, g)] = x[:1][0], x[1:3]
        s = 0.0
        for p, q, r, t in m:
            s = s + p * q - r * t
        return a, b, c, d, e, g, s

    check(f, X, M)
    with pytest.raises(ShapeMismatch, match=r"^an array of 4 cannot be unpacked into 3 names; use as many names as"):
        run(f, X, np.ones((4, 4)))


def test_sizes_of_a_strict_zip():
    def f(x, y):
        s = 0.0
        for p, q in zip(x, y, strict=True):
            s = s + p * q
        return s

    check(f, X, X)
    with pytest.raises(ShapeMismatch, match=r"^sizes 5 and 4 of axis 0 do not match"):
        run(f, X, Y)


def loss(x, y):
    s = 1.0
    for i, (v, w) in enumerate(zip(x, reversed(y), strict=False)):
        s = s * (1.0 + 0.1 * v * w) + i * w
    for g in (tl.sin, tl.cos):
        s = s + g(s)
    a, b, c, d = y
    return s * a * b + c * d


def test_derivatives_by_every_method():
    tl.check_grads(tl.function(loss), (X, Y), order=1, methods=METHODS)
