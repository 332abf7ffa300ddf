"""Programs of users of JAX: imported, differentiated by every method and trained, equal to JAX's."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import tapeless as tl
from tapeless.methods import IMPLEMENTED

jax = pytest.importorskip("jax")

from unit.imports.jax_programs import models, networks, sciences, sequences  # noqa: E402

PROGRAMS = networks.PROGRAMS | sequences.PROGRAMS | sciences.PROGRAMS | models.PROGRAMS
# JAX goes through these loops forward only.
FORWARD_ONLY = ("adaptive", "counted_by_argument", "decay_until", "newton_root")
STEPS = 3


@pytest.fixture(autouse=True)
def _with_64_bits():
    with jax.enable_x64(True):
        yield


@cache
def imported(name):
    program = PROGRAMS[name]
    return tl.from_jax(program.loss, program.parameters, *program.data)


def value_and_grad_of_jax(name):
    loss = PROGRAMS[name].loss
    if name not in FORWARD_ONLY:
        return jax.jit(jax.value_and_grad(loss))
    return lambda parameters, *data: (loss(parameters, *data), jax.jacfwd(loss)(parameters, *data))


@cache
def trained_by_jax(name):
    return trained(value_and_grad_of_jax(name), name)


def trained(value_and_grad, name):
    """The losses of some steps of gradient descent, and the parameters and gradients at the end."""
    program = PROGRAMS[name]
    parameters, losses, gradients = program.parameters, [], None
    for _ in range(STEPS):
        value, gradients = value_and_grad(parameters, *program.data)
        losses.append(float(value))
        parameters = jax.tree.map(lambda p, g: np.asarray(p - program.rate * np.asarray(g))[()], parameters, gradients)
    return losses, parameters, gradients


@pytest.mark.parametrize("method", sorted(IMPLEMENTED))
@pytest.mark.parametrize("name", sorted(PROGRAMS.keys() - models.PROGRAMS.keys()))
def test_training_is_that_of_jax(name, method):
    assert_trained(name, method)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", sorted(IMPLEMENTED))
@pytest.mark.parametrize("name", sorted(models.PROGRAMS))
def test_training_of_models_is_that_of_jax(name, method):
    assert_trained(name, method)


def assert_trained(name, method):
    found = trained(tl.value_and_grad(imported(name), method=method), name)
    expected = trained_by_jax(name)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-9)
    assert jax.tree.structure(found[2]) == jax.tree.structure(PROGRAMS[name].parameters)
    for one, other in zip(jax.tree.leaves(found[1:]), jax.tree.leaves(expected[1:]), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-9)
