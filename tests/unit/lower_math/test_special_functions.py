"""The gamma and error functions against arbitrary precision."""

import math

import mpmath
import numpy as np
import pytest
from map_kernel import DTYPES, compiled

POINTS = (1e-6, 0.1, 0.49999, 0.5, 1.0, 1.3, 2.0, 3.7, 9.99, 10.0, 25.0, 1e4, 1e10, -0.3, -1.5, -2.75, -7.1, -40.5)
REFERENCES = {
    "digamma": mpmath.digamma,
    "trigamma": lambda x: mpmath.psi(1, x),
    "math.erf": mpmath.erf,
    "math.erfc": mpmath.erfc,
    "lgamma": lambda x: mpmath.log(abs(mpmath.gamma(x))),
}
TOLERANCE = {"f64": 4e-15, "f32": 4e-7}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("lanes", [1, 4])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", REFERENCES)
def test_against_arbitrary_precision(function: str, dtype: str, lanes: int) -> None:
    x = np.array(POINTS, DTYPES[dtype])
    result = compiled(function, 1, dtype, lanes)(x)
    for point, value in zip(x, result, strict=True):
        exact = REFERENCES[function](mpmath.mpf(float(point)))
        assert abs(float(value) - exact) <= TOLERANCE[dtype] * max(1, abs(exact)), (point, value, exact)


def test_relative_error_of_erfc_in_its_tail() -> None:
    x = np.linspace(0.4, 26.0, 300)
    for point, value in zip(x, compiled("math.erfc")(x), strict=True):
        exact = mpmath.erfc(mpmath.mpf(float(point)))
        assert abs(float(value) - exact) <= 3 * np.spacing(float(exact)), point


@pytest.mark.parametrize("dtype", DTYPES)
def test_inverse_error_function(dtype: str) -> None:
    near_one = [1.0 - 2.0**-k for k in range(2, 24 if dtype == "f32" else 53)]
    x = np.array([0.0, 1e-30, 1e-6, 0.1, 0.3, 0.7, 0.95, 0.995, *near_one], DTYPES[dtype])
    for point, value, mirrored in zip(x, *(compiled("erfinv", 1, dtype, 1)(each) for each in (x, -x)), strict=True):
        exact = mpmath.erfinv(mpmath.mpf(float(point)))
        of_rounded_square = np.finfo(DTYPES[dtype]).eps * mpmath.exp(exact**2)  # erfinv'(x) eps
        assert abs(float(value) - exact) <= TOLERANCE[dtype] * abs(exact) + of_rounded_square, (point, value, exact)
        assert mirrored == -value
    ends = compiled("erfinv", 1, dtype, 4)(np.array([-1.0, 1.0, 1.5, -math.inf, math.nan], DTYPES[dtype]))
    assert list(ends[:2]) == [-math.inf, math.inf]
    assert np.isnan(ends[2:]).all()


def test_poles_of_digamma() -> None:
    zero, negative_zero, minus_two, infinity = compiled("digamma")(np.array([0.0, -0.0, -2.0, math.inf]))
    assert (zero, negative_zero, infinity) == (-math.inf, math.inf, math.inf)
    assert math.isnan(minus_two)
