"""Programs of StableHLO: values against the reference interpreter, derivatives against differences."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from unit.imports.stablehlo_modules import MODULES
from unit.imports.stablehlo_reference import evaluate


@pytest.fixture(scope="module")
def functions():
    """Each module read once."""
    return {name: tl.from_mlir(text) for name, (text, _) in MODULES.items()}


def listed(results):
    return list(results) if isinstance(results, tuple) else [results]


@pytest.mark.parametrize("name", MODULES)
def test_values_are_those_of_the_reference(name, functions):
    text, arguments = MODULES[name]
    for found, wanted in zip(listed(functions[name](*arguments)), evaluate(text, arguments), strict=True):
        assert np.shape(found) == wanted.shape and np.asarray(found).dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("name", MODULES)
def test_derivatives_are_those_of_differences(name, functions):
    tl.check_grads(functions[name], MODULES[name][1], order=1)
