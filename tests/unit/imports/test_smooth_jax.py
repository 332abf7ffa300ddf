"""Smooth functions of JAX that are lowered in pieces: gradients are JAX's also where the pieces meet."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from tapeless.methods import IMPLEMENTED

jax = pytest.importorskip("jax")
jnp = jax.numpy
X = np.array([0.0, 0.0, 1.5, 1.5, -0.5])


@pytest.fixture(autouse=True)
def _with_64_bits():
    with jax.enable_x64(True):
        yield


def weighed(result):
    return jnp.sum(jnp.cos(jnp.arange(5.0)) * result)


PROGRAMS = {
    "bessel": lambda x: weighed(jax.scipy.special.i0e(x)),
    "running": lambda x: weighed(jax.lax.cumlogsumexp(x)),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", sorted(IMPLEMENTED))
@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_are_those_of_jax_where_pieces_meet(name, method):
    f = tl.from_jax(PROGRAMS[name], X)
    np.testing.assert_allclose(f(X), PROGRAMS[name](X), rtol=1e-12)
    np.testing.assert_allclose(tl.grad(f, method=method)(X), jax.grad(PROGRAMS[name])(X), rtol=1e-10)


def test_rules_are_kept_forward_and_twice():
    loss = PROGRAMS["running"]
    f = tl.from_jax(loss, X)
    _, slope = tl.jvp(f, (X,), (np.ones(5),))
    np.testing.assert_allclose(slope, jax.jvp(loss, (X,), (np.ones(5),))[1], rtol=1e-10)
    np.testing.assert_allclose(tl.hessian(f)(X), jax.hessian(loss)(X), rtol=1e-9, atol=1e-12)
