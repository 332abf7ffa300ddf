"""Zeros, infinities, NaN, subnormal numbers and the edges of overflow, against the C library's results."""

import math

import numpy as np
import pytest
from map_kernel import DTYPES, compiled

REFERENCES = {
    "math.exp": np.exp,
    "math.exp2": np.exp2,
    "math.expm1": np.expm1,
    "math.log": np.log,
    "math.log2": np.log2,
    "math.log10": np.log10,
    "math.log1p": np.log1p,
    "math.sin": np.sin,
    "math.cos": np.cos,
    "math.tan": np.tan,
    "math.tanh": np.tanh,
    "math.sinh": np.sinh,
    "math.cosh": np.cosh,
    "math.rsqrt": lambda x: 1 / np.sqrt(x),
    "math.cbrt": np.cbrt,
    "math.asin": np.arcsin,
    "math.acos": np.arccos,
    "math.atan": np.arctan,
    "math.asinh": np.arcsinh,
    "math.acosh": np.arccosh,
    "math.atanh": np.arctanh,
    "sign": np.sign,
}
# Smallest and largest numbers, and both sides of where a result overflows, underflows or becomes subnormal.
EXTREME = {"f64": (5e-324, 1e-310, 2.3e-308, 1e300, 1.7e308), "f32": (1e-45, 1e-39, 1.2e-38, 1e30, 3.4e38)}
EXP_EDGES = {
    "f64": (
        709.782712893384,
        709.7827128933841,
        -708.4,
        -745.13321910194,
        -745.1332191019412,
        -746.0,
        710.475860073944,
    ),
    "f32": (88.72283, 88.72284, -87.4, -103.97208, -103.97209, -104.0, 89.415985, 89.41599),
}
EXP2_EDGES = {
    "f64": (1023.9999999999999, 1024.0, -1022.5, -1074.0, -1074.9999, -1075.0, -1075.1),
    "f32": (127.99999, 128.0, -126.5, -149.0, -149.9, -150.0, -150.1),
}
ORDINARY = (0.0, math.inf, math.nan, 1.0, 0.5, 2.0, 1e-20, 1e-8, 3.0, 100.0, 1e5, 1e9, 2e9, 1e18)


def inputs(dtype: str) -> np.ndarray:
    values = np.array([*ORDINARY, *EXTREME[dtype], *EXP_EDGES[dtype], *EXP2_EDGES[dtype]], DTYPES[dtype])
    return np.concatenate([values, -values])


def assert_same(result: np.ndarray, exact: np.ndarray, arguments: tuple[np.ndarray, ...]) -> None:
    """Equal to 2 ulps (subnormal ones included), and equal in sign, infinity and NaN."""
    expected = exact.astype(result.dtype)
    for values in zip(result, expected, *arguments, strict=True):
        got, wanted = values[:2]
        if not np.isfinite(wanted) or wanted == 0:
            assert (got == wanted and np.signbit(got) == np.signbit(wanted)) or np.isnan([got, wanted]).all(), values
        else:
            assert abs(got - wanted) <= 2 * np.spacing(abs(wanted)), values


@pytest.mark.one_in(16)
@pytest.mark.parametrize("lanes", [1, 8])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", REFERENCES)
def test_special_values(function: str, dtype: str, lanes: int) -> None:
    x = inputs(dtype)
    with np.errstate(all="ignore"):
        exact = REFERENCES[function](x.astype(np.longdouble))
        assert_same(compiled(function, 1, dtype, lanes)(x), exact, (x,))


PAIR_REFERENCES = {"math.powf": np.power, "math.atan2": np.arctan2, "hypot": np.hypot}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("lanes", [1, 8])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", PAIR_REFERENCES)
def test_every_pair_of_special_values(function: str, dtype: str, lanes: int) -> None:
    values = np.array([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 53.0, 1e8, 2.0**53, 1e30, math.inf, math.nan], DTYPES[dtype])
    values = np.concatenate([values, EXTREME[dtype]]).astype(DTYPES[dtype])
    both = np.concatenate([values, -values])
    first, second = (grid.ravel().copy() for grid in np.meshgrid(both, both))
    with np.errstate(all="ignore"):
        exact = PAIR_REFERENCES[function](first.astype(np.longdouble), second.astype(np.longdouble))
        assert_same(compiled(function, 2, dtype, lanes)(first, second), exact, (first, second))


LIMITS = (("sigmoid", (0.0, 1.0)), ("softplus", (0.0, math.inf)), ("math.erf", (-1.0, 1.0)), ("math.erfc", (2.0, 0.0)))


@pytest.mark.parametrize("function, at_infinities", LIMITS)
def test_limits(function: str, at_infinities: tuple[float, float]) -> None:
    result = compiled(function)(np.array([-math.inf, math.inf, math.nan]))
    assert (result[0], result[1]) == at_infinities
    assert math.isnan(result[2])
