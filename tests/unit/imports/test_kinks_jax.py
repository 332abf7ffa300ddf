"""Functions of JAX with kinks: at ties and where pieces meet, gradients are JAX's, by every method."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from tapeless.methods import IMPLEMENTED

jax = pytest.importorskip("jax")
jnp, lax, nn = jax.numpy, jax.lax, jax.nn

X = np.array([0.0, 1.0, 1.0, -1.0, 1.0, 0.0])
Y = np.array([0.7, 1.0, 0.5, -1.0, 2.0, 3.0])
PLACES, PARTS = np.array([0, 1, 1]), np.array([0, 0, 1, 1, 1, 2])

OF_TWO = {
    "maximum": jnp.maximum,
    "minimum": jnp.minimum,
    "with a constant": lambda x, y: jnp.maximum(x, 0.0) * y,
    "constant first": lambda x, y: jnp.minimum(1.0, x) * y,
    "fmax": jnp.fmax,
    "cross entropy": lambda x, y: jnp.maximum(x, 0) - x * y + jnp.log1p(jnp.exp(-jnp.abs(x))),
    "logaddexp": jnp.logaddexp,
    "loop": lambda x, y: lax.fori_loop(0, 6, lambda i, m: jnp.maximum(m, jnp.asarray(x)[i]), -1e9) * y,
}
CLAMPED = {
    "clip": lambda x, y: jnp.clip(x, -1.0, 1.0) * y,
    "clamp": lambda x, y: lax.clamp(-1.0, x, 1.0) * y,
    "clamp by arrays": lambda x, y: lax.clamp(y - 1, x, y),
    "clamp to one number": lambda x, y: lax.clamp(y, x, y),
    "abs": lambda x, y: jnp.abs(x) * y,
    "celu": lambda x, y: nn.celu(x) * y,
    "relu6": lambda x, y: nn.relu6(6.0 * x) * y,
    "hard tanh": lambda x, y: nn.hard_tanh(x) * y,
}
OF_AXES = {
    "max": lambda x, y: jnp.max(x) * y,
    "min of two axes": lambda x, y: jnp.min(x.reshape(2, 3)) * y,
    "max of rows": lambda x, y: jnp.max(x.reshape(2, 3), axis=1) * y[:2],
    "spread": lambda x, y: jnp.ptp(x) * y,
    "largest length": lambda x, y: jnp.linalg.norm(x, jnp.inf) * y,
    "running": lambda x, y: lax.cummax(x) * y,
    "at places": lambda x, y: jnp.asarray(x).at[PLACES].max(y[:3]),
    "at places outside": lambda x, y: jnp.asarray(x).at[jnp.array([9, -8, 1])].min(y[:3], mode="drop"),
    "of parts": lambda x, y: jax.ops.segment_max(x, PARTS, 3) * y[:3],
    "pooled": lambda x, y: lax.reduce_window(x, -jnp.inf, lax.max, (2,), (1,), "VALID") * y[:5],
    "softmax": lambda x, y: nn.softmax(x) * y,
}


@pytest.fixture(autouse=True)
def _with_64_bits():
    with jax.enable_x64(True):
        yield


def losses(table):
    def loss(x, y):
        results = [jnp.ravel(each(x, y)) for each in table.values()]
        return [jnp.sum(jnp.cos(jnp.arange(each.size)) * each) for each in results]

    return loss


@pytest.mark.parametrize("method", sorted(IMPLEMENTED))
@pytest.mark.parametrize("table", [OF_TWO, CLAMPED, OF_AXES], ids=["of two", "clamped", "of axes"])
def test_gradients_are_those_of_jax_at_kinks(table, method):
    f, wanted = tl.from_jax(losses(table), X, Y), losses(table)(X, Y)
    np.testing.assert_allclose(f(X, Y), wanted, rtol=1e-12)
    slopes = tl.jacrev(f, argnums=(0, 1), method=method)(X, Y)
    for name, found, expected in zip(table, slopes, jax.jacrev(losses(table), (0, 1))(X, Y), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-13, err_msg=name)


@pytest.mark.parametrize("mode", ["drop", "clip"])
@pytest.mark.parametrize("which", ["max", "min"])
def test_extremes_at_places_outside_have_the_derivatives_of_differences(which, mode):
    """JAX's own are those of another function where places are moved."""
    windows = lax.ScatterDimensionNumbers((1,), (), (0,))
    scatter = getattr(lax, f"scatter_{which}")
    places = jnp.array([[5], [0], [-3], [0]])

    def program(x, y):
        return scatter(x, places, y.reshape(4, 2), windows, mode=mode)

    x, y = np.array([0.3, 0.8, -0.2]), np.array([0.5, 0.1, 0.9, -0.7, 1.2, 0.4, 0.25, 0.6])
    f = tl.from_jax(program, x, y)
    np.testing.assert_allclose(f(x, y), program(x, y))
    tl.check_grads(f, (x, y), order=1)


def test_extremes_that_only_constants_come_of_have_no_rule():
    text = tl.compile(tl.from_jax(OF_AXES["softmax"], X, Y)).ir("input")
    assert "ad.custom_rule" not in text
    assert "ad.custom_rule" in tl.compile(tl.from_jax(OF_AXES["max"], X, Y)).ir("input")
