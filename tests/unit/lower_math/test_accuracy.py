"""The error of every function in ulps, against extended precision, as a scalar loop and on vectors."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pytest
from map_kernel import DTYPES, compiled

WIDE = np.longdouble
COUNT = 60_000
pytestmark = pytest.mark.skipif(np.finfo(WIDE).nmant < 63, reason="needs a long double wider than double")

Points = Callable[[np.random.Generator, type], tuple[np.ndarray, ...]]


@dataclass(frozen=True)
class Case:
    """A function, its reference, where to measure it, and the error allowed in ulps."""

    function: str
    reference: Callable[..., np.ndarray]
    points: Points
    bar: float


def uniform(low: float, high: float) -> Points:
    return lambda rng, dtype: (rng.uniform(low, high, COUNT).astype(dtype),)


def exponent_range(fraction: float) -> Points:
    """Uniform up to a fraction of the largest x whose exp is finite."""
    return lambda rng, dtype: uniform(-fraction * exp_limit(dtype), fraction * exp_limit(dtype))(rng, dtype)


def exp_limit(dtype: type) -> float:
    return float(np.log(np.finfo(dtype).max))


def every_exponent(rng: np.random.Generator, dtype: type) -> tuple[np.ndarray, ...]:
    """Positive normal numbers of all magnitudes."""
    bounds = np.finfo(dtype)
    return (np.exp2(rng.uniform(bounds.minexp, bounds.maxexp - 1e-3, COUNT)).astype(dtype),)


def near_one(rng: np.random.Generator, dtype: type) -> tuple[np.ndarray, ...]:
    distance = np.exp2(rng.uniform(-np.finfo(dtype).nmant, -2, COUNT))
    return ((1 + rng.choice([-1, 1], COUNT) * distance).astype(dtype),)


def below_one(rng: np.random.Generator, dtype: type) -> tuple[np.ndarray, ...]:
    """Both signs, all magnitudes up to 1."""
    magnitude = np.exp2(rng.uniform(np.finfo(dtype).minexp, 0, COUNT))
    return ((rng.choice([-1, 1], COUNT) * magnitude).astype(dtype),)


def both_signs(points: Points) -> Points:
    return lambda rng, dtype: tuple(rng.choice([-1, 1], COUNT).astype(dtype) * x for x in points(rng, dtype))


def union(*parts: Points) -> Points:
    def points(rng: np.random.Generator, dtype: type) -> tuple[np.ndarray, ...]:
        return tuple(map(np.concatenate, zip(*(part(rng, dtype) for part in parts), strict=True)))

    return points


def above_one(rng: np.random.Generator, dtype: type) -> tuple[np.ndarray, ...]:
    (x,) = union(every_exponent, uniform(1, 3), near_one)(rng, dtype)
    return (x[x >= 1],)


def points_of_the_plane(rng: np.random.Generator, dtype: type) -> tuple[np.ndarray, ...]:
    """All directions, and slopes of many magnitudes."""
    shrunk = np.exp2(rng.uniform(-30, 30, COUNT))
    return ((rng.normal(size=COUNT) * shrunk).astype(dtype), rng.normal(size=COUNT).astype(dtype))


def powers(rng: np.random.Generator, dtype: type) -> tuple[np.ndarray, ...]:
    """Bases of all kinds and exponents whose power spans the whole range."""
    (base,) = union(every_exponent, uniform(0.5, 2.0), near_one)(rng, dtype)
    base = base[base != 1]
    limit = 0.99 * exp_limit(dtype)
    target = rng.uniform(-limit, limit, base.size)
    return base, (target / np.log(base.astype(np.float64))).astype(dtype)


ANGLES = union(uniform(-10, 10), uniform(-1e6, 1e6), both_signs(every_exponent))
LOGS = union(every_exponent, uniform(0.5, 2.0), near_one)
EXPS = union(exponent_range(0.98), uniform(-1, 1), below_one)

CASES = (
    Case("math.exp", np.exp, EXPS, 1.5),
    Case("math.exp2", np.exp2, EXPS, 1.5),
    Case("math.expm1", np.expm1, EXPS, 1.5),
    Case("math.log", np.log, LOGS, 1.5),
    Case("math.log2", np.log2, LOGS, 1.5),
    Case("math.log10", np.log10, LOGS, 1.5),
    Case("math.log1p", np.log1p, union(every_exponent, below_one, uniform(-0.99, 3)), 1.5),
    Case("math.sin", np.sin, ANGLES, 1.5),
    Case("math.cos", np.cos, ANGLES, 1.5),
    Case("math.tan", np.tan, ANGLES, 1.5),
    Case("math.tanh", np.tanh, union(uniform(-20, 20), uniform(-1, 1), below_one), 1.5),
    Case("math.sinh", np.sinh, union(EXPS, uniform(-3, 3)), 2.0),
    Case("math.cosh", np.cosh, union(EXPS, uniform(-3, 3)), 1.5),
    Case("math.powf", np.power, powers, 2.0),
    Case("math.rsqrt", lambda x: 1 / np.sqrt(x), LOGS, 1.5),
    Case("sigmoid", lambda x: 1 / (1 + np.exp(-x)), exponent_range(0.98), 2.5),
    Case("softplus", lambda x: np.log1p(np.exp(x)), exponent_range(0.98), 2.0),
    Case("math.cbrt", np.cbrt, both_signs(every_exponent), 1.5),
    Case("hypot", np.hypot, points_of_the_plane, 1.5),
    Case("math.asin", np.arcsin, union(uniform(-1, 1), below_one), 1.5),
    Case("math.acos", np.arccos, union(uniform(-1, 1), below_one), 1.5),
    Case("math.atan", np.arctan, union(uniform(-3, 3), both_signs(every_exponent)), 1.5),
    Case("math.atan2", np.arctan2, points_of_the_plane, 2.0),
    Case("math.asinh", np.arcsinh, union(uniform(-3, 3), both_signs(every_exponent)), 2.0),
    Case("math.acosh", np.arccosh, above_one, 2.5),
    Case("math.atanh", np.arctanh, union(uniform(-0.999, 0.999), below_one), 2.0),
)


def error_in_ulps(result: np.ndarray, exact: np.ndarray) -> float:
    """The largest error where the exact result is a normal number."""
    bounds = np.finfo(result.dtype)
    is_normal = (abs(exact) >= bounds.tiny) & (abs(exact) <= bounds.max)
    ulp = np.spacing(abs(exact[is_normal].astype(result.dtype))).astype(WIDE)
    return float(np.max(abs(result[is_normal].astype(WIDE) - exact[is_normal]) / ulp))


@lru_cache(1)
def points_and_values(case: Case, dtype: str, every: int) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """Where a function is measured, and its exact values there, which take longer to compute than all else."""
    points = tuple(np.ascontiguousarray(x[::every]) for x in case.points(np.random.default_rng(7), DTYPES[dtype]))
    with np.errstate(all="ignore"):
        return points, case.reference(*(x.astype(WIDE) for x in points))


@pytest.mark.one_in(36)
@pytest.mark.parametrize("lanes", [1, 8])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.thorough), 3])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.function)
def test_error_stays_below_the_bar(case: Case, every: int, dtype: str, lanes: int) -> None:
    """At every third point, at all if thorough."""
    points, exact = points_and_values(case, dtype, every)
    result = compiled(case.function, len(points), dtype, lanes)(*points)
    assert error_in_ulps(result, exact) <= case.bar
