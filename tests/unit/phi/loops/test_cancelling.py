"""Derivatives whose terms cancel: their error is a few units in the last place of the terms, not of their sum.

A loop that multiplies by y in some steps and divides by it in others gives x times a power of y that counts them. Of
20 steps in turn the power is zero and the derivative in y, too; its terms are as large as the result over y, and so
large are their roundings. No order of the terms is better than that.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from tests.unit.phi.loops.edge_loops import derivatives, edge_points

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

COUNT = 20
POINTS = 400
EPSILON = float(np.finfo(np.float64).eps)
LEAST, MOST = Fraction(1e-290), Fraction(1e290)
BOUND = 4 * COUNT * EPSILON


def slopes_and_terms(point):
    """The derivative in y of the loop `choice` without rounding, and how large its terms are together.

    None where values, adjoints or their products leave the range of floats.
    """
    x, y, z, scale = map(np.float64, point)
    power, states, given = 0, [Fraction(float(x))], Fraction(float(y))
    for _ in range(COUNT):
        is_multiplied = bool(x < z)
        x = x * y if is_multiplied else x / y
        if not np.isfinite(x):
            return None
        states.append(states[-1] * given if is_multiplied else states[-1] / given)
        power += 1 if is_multiplied else -1
    result = Fraction(float(scale)) * states[-1]
    adjoints = [result / state for state in states]
    sizes = [*states, *adjoints, *(each / given for each in (*states, *adjoints)), result, result / given]
    if not all(LEAST < abs(size) < MOST for size in sizes):
        return None
    return power * result / given, COUNT * abs(result / given)


@pytest.fixture(scope="module")
def known():
    with np.errstate(all="ignore"):
        points = [point for point in edge_points("float64", POINTS) if point.all()]
        found = [(point, slopes) for point in points if (slopes := slopes_and_terms(point)) is not None]
    assert len(found) > 20 and any(slope == 0 and terms > 1e100 for _, (slope, terms) in found)
    return found


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", ["redundant", "coarsened"])
@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_errors_are_those_of_the_terms(known, method, target):
    points = np.array([point for point, _ in known])

    def compiled(function):
        return tl.compile(function, (points, COUNT), target=target)

    with emulated_cuda():
        found = derivatives("choice", "a body", method, "f64", compiled)(points, COUNT)[1]
    errors = [
        float(abs(Fraction(float(one)) - slope) / terms) for one, (_, (slope, terms)) in zip(found, known, strict=True)
    ]
    assert max(errors) < BOUND
