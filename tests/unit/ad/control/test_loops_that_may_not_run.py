"""Loops of every kind that run not at all, once, several times or as often as an argument says, two in each program.

Values, gradients by all methods and tangents, against the same text run by Python, on complex numbers for derivatives.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from written_loops import CARRIED, program, table

import tapeless as tl
from function_from_text import function_from_text
from tapeless.methods import IMPLEMENTED

A = np.array([0.7, -0.4, 0.9])
CASES = len(CARRIED) ** 2
SMALL = 1e-30


def run_by_python(text: str, x: complex, a: np.ndarray, n: int, e: np.ndarray, w: np.ndarray) -> complex:
    names: dict[str, Any] = {"tl": SimpleNamespace(range=range)}
    exec(text, names)
    return names["program"](x, a, n, e, w)


def references(text: str, x: float, n: int, w: np.ndarray) -> tuple[list[np.ndarray], float]:
    """The derivatives in x, a, e and w by complex steps."""
    e = np.linspace(0.5, 1.5, n)
    args = [np.array(x, complex), A.astype(complex), e.astype(complex), w.astype(complex)]
    value = run_by_python(text, complex(args[0]), args[1], n, args[2], args[3]).real
    slopes = []
    for place, arg in enumerate(args):
        slope = np.zeros(arg.shape)
        for at in np.ndindex(arg.shape):
            moved = [each.copy() for each in args]
            moved[place][at] += SMALL * 1j
            slope[at] = run_by_python(text, complex(moved[0]), moved[1], n, moved[2], moved[3]).imag / SMALL
        slopes.append(slope)
    return slopes, value


@pytest.mark.one_in(128)
@pytest.mark.parametrize("case", table(), ids=lambda case: "-".join(case))
def test_two_loops(case: tuple[str, str, str, str, str]) -> None:
    arrangement, first, trips, second, more_trips = case
    text = program(arrangement, [first, second], [trips, more_trips])
    function = function_from_text("@tl.function\n" + text, "program")
    places = (0, 1, 3, 4)
    gradients = {method: tl.value_and_grad(function, argnums=places, method=method) for method in IMPLEMENTED}
    rng = np.random.default_rng(5)
    x, w = 0.8, rng.uniform(0.5, 1.5, CASES)
    for n in (0, 1, 3) if "n" in case else (2,):
        e = np.linspace(0.5, 1.5, n)
        slopes, wanted = references(text, x, n, w)
        for gradient in gradients.values():
            value, found = gradient(x, A, n, e, w)
            np.testing.assert_allclose(value, wanted, rtol=1e-12)
            for part, slope in zip(found, slopes, strict=True):
                np.testing.assert_allclose(part, slope, rtol=1e-11, atol=1e-12)
        directions = [rng.uniform(-1.0, 1.0, np.shape(each)) for each in (x, A, e, w)]
        expected = sum(float(np.sum(a * b)) for a, b in zip(directions, slopes, strict=True))
        dx, da, de, dw = directions
        for method in IMPLEMENTED:
            _, tangent = tl.jvp(function, (x, A, n, e, w), (float(dx), da, 0, de, dw), method=method)
            np.testing.assert_allclose(tangent, expected, rtol=1e-11, atol=1e-12)
