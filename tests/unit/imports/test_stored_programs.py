"""Stored programs of JAX and PyTorch: values and gradients by every method are those that their producers gave."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import tapeless as tl
from tapeless.methods import IMPLEMENTED

FOLDER = Path(__file__).parent / "stored"
NAMES = sorted(path.stem for path in FOLDER.glob("*.mlir"))


@cache
def imported(name):
    return tl.from_mlir(FOLDER / f"{name}.mlir")


def test_there_are_some():
    assert len(NAMES) == 23


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", sorted(IMPLEMENTED))
@pytest.mark.parametrize("name", NAMES)
def test_value_and_gradients_are_those_of_the_producer(name, method):
    stored = json.loads((FOLDER / f"{name}.json").read_text())
    cases = stored if isinstance(stored, list) else [stored]
    wanted = tuple(range(len(cases[0]["gradients"])))
    both = tl.value_and_grad(imported(name), argnums=wanted, method=method)
    for known in cases:  # of open sizes, several are stored
        arguments = [np.array(values, dtype)[()] for dtype, values in known["arguments"]]
        value, gradients = both(*arguments)
        np.testing.assert_allclose(value, known["value"], rtol=1e-12)
        for found, expected in zip(gradients, known["gradients"], strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-12)
