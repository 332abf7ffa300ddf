"""`softplus`, `log_sigmoid` and `logaddexp` of JAX: known by what they are, with logistic functions as derivatives.

Values and derivatives are compared with those of 60 digits, also where exponentials overflow and numbers are infinite.
"""

from __future__ import annotations

import warnings

import mpmath
import numpy as np
import pytest

import tapeless as tl
from tapeless.methods import IMPLEMENTED

jax = pytest.importorskip("jax")
jnp = jax.numpy

EDGES = [0.0, -0.0, 0.25, -0.25, 1.0, -1.0, 30.0, -30.0, 86.0, -86.0, 1e30, -1e30, np.inf, -np.inf, np.nan]
FAR = {np.float32: [110.0, -110.0], np.float64: [700.0, -700.0, 800.0, -800.0, 1e300, -1e300]}
# Values and derivatives may be wrong by so many roundings: JAX's own are by 2, or by 100 where it takes a difference.
ROUNDINGS = 4


@pytest.fixture(autouse=True)
def _with_64_bits():
    with jax.enable_x64(True), mpmath.workdps(60), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        yield


def sigmoid(x):
    """1 / (1 + exp(-x)) as a number of many digits."""
    if np.isnan(x) or np.isinf(x):
        return mpmath.mpf(float(x > 0)) if not np.isnan(x) else mpmath.nan
    return 1 / (1 + mpmath.exp(-mpmath.mpf(float(x))))


def added(x, y):
    """log(exp(x) + exp(y)) as a number of many digits."""
    if np.isnan(x) or np.isnan(y):
        return mpmath.nan
    high, low = max(float(x), float(y)), min(float(x), float(y))
    if np.isinf(high) or np.isinf(low):
        return mpmath.mpf(high)
    return high + mpmath.log1p(mpmath.exp(mpmath.mpf(low) - mpmath.mpf(high)))


def assert_near(found, expected, dtype):
    limits = np.finfo(dtype)
    assert found.dtype == dtype
    for each, exact in zip(found, expected, strict=True):
        rounded = dtype(float(exact))
        if not np.isfinite(rounded):
            assert np.isnan(each) == np.isnan(rounded) and (np.isnan(each) or each == rounded)
            continue
        # What is not normal may be taken for zero.
        allowed = ROUNDINGS * limits.eps * abs(exact) + limits.tiny
        assert abs(mpmath.mpf(float(each)) - exact) <= allowed, (each, exact)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("method", sorted(IMPLEMENTED))
def test_of_one_number(dtype, method):
    x = np.array([*EDGES, *FAR[dtype]], dtype)
    for function, value, slope in (
        (jax.nn.softplus, lambda each: added(each, 0.0), sigmoid),
        (jax.nn.log_sigmoid, lambda each: -added(-each, 0.0), lambda each: sigmoid(-each)),
    ):
        f = tl.from_jax(function, x)
        assert_near(f(x), [value(each) for each in x], dtype)
        _, pulled = tl.vjp(f, x, method=method)
        assert_near(*pulled(np.ones_like(x)), [slope(each) for each in x], dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_of_two_numbers(dtype):
    each = [number for number in (*EDGES, *FAR[dtype])]
    pairs = [(a, b) for a in each for b in each if not (a == b and np.isinf(a)) and a != -b]
    x, y = np.array(pairs, dtype).T.copy()
    f = tl.from_jax(jnp.logaddexp, x, y)
    assert_near(f(x, y), [added(*pair) for pair in zip(x, y, strict=True)], dtype)
    distances = [np.float64(a) - np.float64(b) for a, b in zip(x, y, strict=True)]
    _, pulled = tl.vjp(f, x, y)
    to_x, to_y = pulled(np.ones_like(x))
    assert_near(to_x, [sigmoid(each) for each in distances], dtype)
    assert_near(to_y, [sigmoid(-each) for each in distances], dtype)
    both = np.array([np.inf, -np.inf], dtype)
    np.testing.assert_array_equal(tl.from_jax(jnp.logaddexp, both, both)(both, both), both)


def test_derivatives_of_second_order_and_forward():
    x = np.array([-2.0, 0.0, 0.5, 3.0])
    loss = lambda x: jnp.sum(jax.nn.softplus(x) * jnp.logaddexp(x, 2.0 * x[::-1]))  # noqa: E731
    f = tl.from_jax(loss, x)
    np.testing.assert_allclose(tl.hessian(f)(x), jax.hessian(loss)(x), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(tl.jvp(f, (x,), (x,))[1], jax.jvp(loss, (x,), (x,))[1], rtol=1e-12)


def test_no_rule_is_imported_for_them():
    f = tl.from_jax(lambda x: jax.nn.softplus(x).sum() + jnp.logaddexp(x, x[::-1]).sum(), np.ones(3))
    text = tl.compile(f, (np.ones(3),)).ir("input")
    assert "custom_rule" not in text and text.count("softplus") == 2


def test_rules_of_others_are_their_own():
    @jax.custom_jvp
    def logaddexp(x, y):
        return jnp.logaddexp(x, y)

    logaddexp.defjvp(lambda given, moved: (logaddexp(*given), 100.0 * moved[0]))
    f = tl.from_jax(lambda x: logaddexp(x, 0.0), 1.0)
    assert tl.grad(f)(1.0) == 100.0


def test_halves_are_rounded_once():
    x = jnp.array([-1.5, 0.0, 2.25, 20.0], jnp.bfloat16)
    f = tl.from_jax(jax.nn.softplus, x)
    np.testing.assert_array_equal(np.asarray(f(x)), np.asarray(jax.nn.softplus(x)))
