"""Functions of JAX with symbolic sizes: value and gradient by every method at several sizes."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from tapeless.methods import IMPLEMENTED

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402

from unit.imports.open_programs import PROGRAMS  # noqa: E402

FORWARD = ("counted", "until")
"""Loops that JAX differentiates forward only."""


@pytest.fixture(autouse=True)
def _doubles():
    with jax.enable_x64(True):
        yield


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", sorted(IMPLEMENTED))
@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_value_and_gradients_are_those_of_jax_at_every_size(name, method):
    program = PROGRAMS[name]
    wanted = tuple(place for place, shape in enumerate(program.shapes) if " " not in shape)
    both = tl.value_and_grad(tl.from_jax(program.loss, *program.examples()), argnums=wanted, method=method)
    differentiate = jax.jacfwd if name in FORWARD else jax.grad
    for number in program.at:
        arguments = program.arguments(number)
        arrays = [jnp.asarray(each) for each in arguments]
        value, gradients = both(*arguments)
        np.testing.assert_allclose(value, program.loss(*arrays), rtol=1e-10)
        for found, expected in zip(gradients, differentiate(program.loss, argnums=wanted)(*arrays), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-10, err_msg=f"at {number}")


def test_types_of_the_language_are_examples_with_open_sizes():
    f = tl.from_jax(lambda x, p: jnp.sum(jnp.tanh(x @ p["w"])), tl.f64[:, 4], {"w": tl.f64[4, :]})
    for rows, columns in ((2, 3), (5, 1)):
        x, w = np.ones((rows, 4)), 0.1 * np.ones((4, columns))
        assert f(x, {"w": w}) == pytest.approx(rows * columns * np.tanh(0.4))
        np.testing.assert_allclose(tl.grad(f)(x, {"w": w}), columns * 0.1 / np.cosh(0.4) ** 2 * np.ones((rows, 4)))


def test_types_stand_beside_symbols():
    (n,) = jax.export.symbolic_shape("n")
    x = jax.ShapeDtypeStruct((n,), np.float64)
    f = tl.from_jax(lambda x, y, s: s * jnp.sum(x) * y, x, tl.f64[:], tl.f64)
    np.testing.assert_allclose(f(np.ones(3), np.ones(2), 2.0), [6.0, 6.0])


def test_results_may_have_open_sizes():
    (n,) = jax.export.symbolic_shape("n")
    f = tl.from_jax(lambda x: {"twice": jnp.concatenate([x, x]), "sum": x.sum()}, jax.ShapeDtypeStruct((n,), float))
    found = f(np.arange(3.0))
    np.testing.assert_allclose(found["twice"], [0, 1, 2, 0, 1, 2])
    assert found["sum"] == 3


def test_sizes_that_jax_takes_for_one_are_compared_in_calls():
    (n,) = jax.export.symbolic_shape("n")
    x = jax.ShapeDtypeStruct((n,), float)
    f = tl.from_jax(lambda x, y: jnp.sum(x * y), x, x)
    with pytest.raises(tl.ShapeMismatch, match=r"test_open_jax.py:\d+: .*args\[1\].shape\[0\] \(= 4\).*'n' \(= 3\)"):
        f(np.ones(3), np.ones(4))
    with pytest.raises(tl.ShapeMismatch, match=r"Expected value >= 1 for dimension variable 'n'"):
        f(np.ones(0), np.ones(0))


def test_sizes_that_only_a_rule_reads_are_refused():
    shapes = jax.export.symbolic_shape("n, m")

    @jax.custom_jvp
    def scaled(x):
        return x * shapes[1]

    scaled.defjvp(lambda given, moved: (scaled(*given), moved[0] * 2.0))
    examples = [jax.ShapeDtypeStruct((size,), float) for size in shapes]
    with pytest.raises(tl.ArgumentError, match=r"a rule of the function reads a size that none .* variable 'm'"):
        tl.from_jax(lambda x, y: jnp.sum(scaled(x)) + jnp.sum(y), *examples)
