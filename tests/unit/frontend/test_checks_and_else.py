"""`assert` and `raise`, `else` of loops, shifts, and names of dtypes, against Python and by derivatives."""

import numpy as np
import pytest

import tapeless as tl
from frontend.running import check

K, S = np.array([1, -5, 7, 2**40]), np.array([0, 3, 64, 70])
X = np.array([0.5, 1.5, 2.5])
METHODS = ("redundant", "reversible", "coarsened")


def test_shifts():
    def f(k, s, n):
        small, m = k.astype("int32"), k * 1
        m <<= 1
        m[0] >>= 1
        many = k << s, k >> s, k << 3, k >> 2, small << 3, small >> 40
        return many, (n << 4, n >> 1, 1 << 5, n << n, -n >> 1), m

    check(f, K, S, 3)
    check(f, K, S, 0)


@pytest.mark.parametrize("limit", [0, 2, 3, 4, 20])
def test_else_of_loops(limit):
    def f(limit):
        b = i = 0
        for k in range(10):
            if k > limit:
                break
            b += k
        else:
            b = 1000
        while i < 5:
            if i == limit:
                break
            i += 1
        else:
            b += 7
        for j in range(3):
            b += j
        else:
            b += 100
        for p in (1, 2, 3):
            for q in (1, 2):
                if q * p > limit:
                    break
            else:
                b += 3
                continue
            b += 20
            break
        for k in range(limit):
            if k == 3:
                break
        else:
            return b, 0
        return b, i

    check(f, limit)


def test_names_of_numbers_and_dtypes():
    def f(x):
        return float("-inf"), float("2.5"), np.zeros(3, "float32"), x.astype("int32"), x.astype("bool")

    check(f, X)


def checked(x, n):
    s = 0.0
    if n < 0:
        raise ValueError("n is negative")
    assert n <= len(x), "n is too large"
    assert x[0] > 0
    for i in range(n):
        s = s + x[i] * tl.exp(-s)
        if s > 2.0:
            break
    else:
        s = s * x[0]
    if s > 1e6:
        raise AssertionError
    return tl.minimum(s, float("inf"))


def test_what_is_checked_when_running():
    f = tl.jit(checked)
    assert f(X, 2) == pytest.approx((0.5 + 1.5 * np.exp(-0.5)) * 0.5)
    cases = (
        (X, -1, ValueError, "n is negative"),
        (X, 4, AssertionError, "n is too large"),
        (-X, 2, tl.CheckFailed, r"assertion failed: x\[0\] > 0"),
        (X * 1e7, 2, AssertionError, "AssertionError"),
    )
    for x, n, kind, text in cases:
        with pytest.raises(kind, match=rf"test_checks_and_else\.py:\d+: {text}\n"):
            f(x, n)
        with pytest.raises(kind, match=text):
            tl.grad(f)(x, n)


def test_derivatives_by_every_method():
    tl.check_grads(tl.function(lambda x: checked_function(x, 3)), (X,), order=1, methods=METHODS)


checked_function = tl.function(checked)


def test_assertions_stay_without_checks() -> None:
    """What follows them relies on them."""

    def positive(x):
        assert x > 0.0
        return x

    with pytest.raises(tl.CheckFailed):
        tl.jit(positive, checks="off")(-1.0)
