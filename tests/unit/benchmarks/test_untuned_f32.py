"""What `in_f32` says of programs of `benchmarks/untuned`: f32 cannot hold their results, by whatever they are computed.

None of these tests calls Tapeless: they do in numpy, in f32, what the spelling says.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))

from untuned.measure import AGREES
from untuned.programs import PROGRAMS

SINGLE = np.float32


def light_curve() -> float:
    """The derivative of a logistic function that is written as 1 / (1 + exp(x))."""
    (_, middle, period, width, _, _), times, _ = PROGRAMS["light curve"].arguments("middle", "f32")
    phase = (times - middle) / period
    phase -= np.round(phase)
    with np.errstate(over="ignore", invalid="ignore"):
        power = np.exp((np.abs(phase) - width) * SINGLE(200.0))
        slope = -power / (SINGLE(1.0) + power) ** 2
    assert slope.dtype == np.float32
    return np.inf if np.isnan(slope).any() else 0.0


def wavetable() -> float:
    """The gradient by the table: weights of neighbours at places that are sums."""
    table, pitch, wanted = PROGRAMS["wavetable"].arguments("middle", "f32")

    def gradient(dtype: type) -> np.ndarray:
        steps = pitch.astype(dtype) / dtype(16000.0)
        place = ((np.cumsum(steps) - steps) % dtype(1.0)).astype(np.float64) * len(table)
        low = np.floor(place).astype(int)
        part, high = place - low, (low + 1) % len(table)
        error = (1.0 - part) * table[low % len(table)] + part * table[high] - wanted
        found = np.zeros(len(table))
        np.add.at(found, low % len(table), error * (1.0 - part))
        np.add.at(found, high, error * part)
        return found

    return away(gradient(np.float32), gradient(np.float64))


def kernel_density() -> float:
    """The gradient by one bandwidth: a sum over pairs less the number of points over the bandwidth."""
    bandwidth, x = PROGRAMS["kernel density bandwidths"].arguments("middle", "f32")

    def gradient(dtype: type) -> np.ndarray:
        squares = ((x[:, None] - x[None]).astype(dtype) / bandwidth.astype(dtype)) ** 2
        density = np.exp(dtype(-0.5) * squares.sum(axis=2))
        np.fill_diagonal(density, 0.0)
        weights = density / density.sum(axis=1, keepdims=True)
        terms = (weights[:, :, None] * squares).reshape(-1, len(bandwidth)) / bandwidth
        one_after_the_other = np.cumsum(terms, axis=0, dtype=dtype)[-1]
        return one_after_the_other - dtype(len(x)) / bandwidth.astype(dtype)

    return away(gradient(np.float32), gradient(np.float64))


def away(found: np.ndarray, expected: np.ndarray) -> float:
    return float(np.max(np.abs(found - expected)) / np.max(np.abs(expected)))


SHOWN = {"light curve": light_curve, "wavetable": wavetable, "kernel density bandwidths": kernel_density}


@pytest.mark.parametrize("name", SHOWN)
def test_f32_cannot_hold_the_result(name):
    assert SHOWN[name]() > AGREES["f32"]


def test_every_excuse_is_shown():
    excused = {program.name: program for program in PROGRAMS.values() if program.in_f32}
    assert set(excused) == set(SHOWN)
    for program in excused.values():
        assert set(program.in_f32) <= {*program.spellings, "jax", "torch", "numpy"}, program.name
