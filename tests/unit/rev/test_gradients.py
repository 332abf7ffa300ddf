"""Derivatives of procedures, first and second, against differences: of every statement, and of statements combined."""

from __future__ import annotations

import derivatives
import numpy as np
import pytest

from .bodies import ARGUMENTS, BODIES, INNER, PARAMETERS
from .differences import check
from .programs import program


def caller(name: str) -> derivatives.Program:
    """A function that runs a procedure."""
    return derivatives.from_text(program(PARAMETERS, BODIES[name], others=INNER))


@pytest.mark.one_in(36)
@pytest.mark.parametrize("name", sorted(BODIES))
def test_gradients(name):
    check(caller(name), *ARGUMENTS)


@pytest.mark.one_in(16)
@pytest.mark.parametrize("name", sorted(BODIES))
def test_gradients_of_gradients(name):
    first = caller(name)
    seeds = [np.full(np.shape(argument), 0.7) for argument in ARGUMENTS[:4]]
    check(derivatives.vjp(first), *ARGUMENTS, *seeds, tolerance=1e-5)
