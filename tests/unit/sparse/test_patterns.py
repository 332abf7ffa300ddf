"""Patterns are found from products, coloured, and give all entries back; no scipy is needed for that."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import tapeless as tl
from tapeless.api.sparse.pattern import Pattern
from tapeless.api.sparse.plan import FORWARD, MODES, REVERSE, Plan, plan_hessian, plan_jacobian
from tapeless.api.sparse.probing import Probe
from tapeless.api.sparse.products import Derivative
from tapeless.errors import ArgumentError
from tapeless.methods import MethodChoice

from .tables import PATTERNS, arguments, scattered

F64 = np.dtype(np.float64)
SYMMETRIC = {name: each | each.T for name, each in PATTERNS.items() if each.shape[0] == each.shape[1]}


def dense(pattern: Pattern) -> np.ndarray:
    found = np.zeros(pattern.shape, bool)
    found[pattern.rows, pattern.indices] = True
    return found


class Products:
    """Products with a matrix of bools as a program with that pattern has them, and how many there were."""

    def __init__(self, matrix: np.ndarray) -> None:
        self.matrix, self.count = matrix, 0

    def __call__(self, seeds: np.ndarray) -> np.ndarray:
        self.count += len(seeds)
        return np.array([np.where((self.matrix & np.isnan(seed)).any(axis=1), np.nan, 0.0) for seed in seeds])


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_is_found_by_products(name: str) -> None:
    matrix = PATTERNS[name]
    forward, reverse = Products(matrix), Products(matrix.T)
    alone = Probe(matrix.shape, F64, Products(matrix)).pattern()
    found = Probe(matrix.shape, F64, forward, reverse).pattern()
    assert np.array_equal(dense(found), matrix)
    assert np.array_equal(dense(alone), matrix)
    if name.startswith(("diagonal", "banded", "arrow", "full rows")):
        assert forward.count + reverse.count < 90


@pytest.mark.parametrize("name", PATTERNS)
@pytest.mark.parametrize("mode", [*MODES, None])
def test_products_give_all_entries_back(name: str, mode: str | None) -> None:
    pattern = Pattern.given(PATTERNS[name])
    values = PATTERNS[name] * np.random.default_rng(1).random(pattern.shape)
    plan = plan_jacobian(pattern, mode)
    assert np.array_equal(restored(plan, values), values)
    assert mode is None or [part.mode for part in plan.parts] == [mode]


@pytest.mark.parametrize("name", SYMMETRIC)
def test_products_give_symmetric_matrices_back(name: str) -> None:
    pattern = Pattern.given(SYMMETRIC[name])
    values = SYMMETRIC[name] * np.random.default_rng(1).random(pattern.shape)
    values += values.T
    plan = plan_hessian(pattern)
    assert np.array_equal(restored(plan, values), values)
    assert plan.products <= plan_jacobian(pattern, FORWARD).products


def restored(plan: Plan, values: np.ndarray) -> np.ndarray:
    """A matrix from its products by a plan."""
    data = np.full(plan.pattern.count, np.nan)
    for part in plan.parts:
        if part.count:
            seen = values.T if part.mode == FORWARD else values
            products = np.concatenate([seeds @ seen for seeds in part.seeds(F64, None)])
            assert len(products) == part.count
            data[slice(None) if part.entries is None else part.entries] = products.reshape(-1)[part.places]
    found = np.zeros(plan.pattern.shape)
    found[plan.pattern.rows, plan.pattern.indices] = data
    return found


FEWEST = {"empty": 0, "diagonal": 1, "banded": 5, "arrow": 3, "full rows and columns": 5, "one row": 1, "one column": 1}


@pytest.mark.parametrize("name", FEWEST)
def test_how_many_products_there_are(name: str) -> None:
    assert plan_jacobian(Pattern.given(PATTERNS[name]), None).products == FEWEST[name]


def test_an_arrow_needs_two_products_for_a_hessian() -> None:
    assert plan_hessian(Pattern.given(PATTERNS["arrow"])).products == 2
    large = 20_000
    spokes = np.arange(large)
    rows, columns = np.concatenate((spokes, 0 * spokes, spokes)), np.concatenate((spokes, spokes, 0 * spokes))
    assert plan_hessian(Pattern.of_entries(rows, columns, (large, large))).products == 2


def test_many_products_come_in_several_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tapeless.api.sparse.plan.MOST_AT_ONCE", 1000)
    monkeypatch.setattr("tapeless.api.sparse.probing.MOST_AT_ONCE", 1000)
    matrix = PATTERNS["dense, larger than the first blocks"]
    assert np.array_equal(dense(Probe(matrix.shape, F64, Products(matrix)).pattern()), matrix)
    plan = plan_jacobian(Pattern.given(matrix), None)
    assert len(list(plan.parts[0].seeds(F64, None))) == 7
    assert np.array_equal(restored(plan, matrix * 2.0), matrix * 2.0)


def test_index_arrays_cannot_be_written() -> None:
    pattern = Pattern.given(np.eye(3))
    assert not pattern.indices.flags.writeable and not pattern.indptr.flags.writeable
    assert pattern.indices.dtype == pattern.indptr.dtype == np.int32


@pytest.mark.parametrize("value", [np.ones(3), np.ones((2, 2, 2)), "eye", [[None]]])
def test_what_is_no_pattern_is_refused(value: object) -> None:
    with pytest.raises(ArgumentError, match="is no pattern; give a matrix of scipy, or an array with two axes"):
        Pattern.given(value)


def found(f: object, *values: object, mode: str = FORWARD, wrt: tuple[int, ...] = (0,)) -> np.ndarray:
    """The pattern of a program's Jacobian."""
    point = Derivative(tl.function(f), wrt, MethodChoice(), False).at(values)
    if mode == FORWARD:
        return dense(Probe(point.shape, point.columns.dtype, point.probed(FORWARD)).pattern())
    return dense(Probe(point.shape[::-1], point.rows.dtype, point.probed(REVERSE)).pattern()).T


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", PATTERNS)
@pytest.mark.parametrize("mode", MODES)
def test_the_pattern_of_a_program(name: str, mode: str) -> None:
    assert np.array_equal(found(scattered, *arguments(PATTERNS[name]), mode=mode), PATTERNS[name])


def smooth(x):
    """Functions whose derivative is zero or finite at 0, where NaN must pass through all of them."""
    y = 1.5 + x
    return (
        *(tl.exp(x), tl.exp2(x), tl.expm1(x), tl.log(y), tl.log2(y), tl.log10(y), tl.log1p(x), tl.sqrt(y), tl.rsqrt(y)),
        *(tl.cbrt(y), tl.sin(x), tl.cos(x), tl.tan(x), tl.asin(x), tl.acos(x), tl.atan(x), tl.atan2(x, y), tl.sinh(x)),
        *(tl.cosh(x), tl.tanh(x), tl.asinh(x), tl.acosh(y), tl.atanh(x), tl.erf(x), tl.erfc(x), tl.lgamma(y)),
        *(tl.digamma(y), tl.sigmoid(x), tl.softplus(x), tl.abs(x), tl.pow(x, 2), tl.pow(x, 3.0), tl.hypot(x, y)),
        *(tl.fma(x, x, x), x * 0.0, x * x, x / y, tl.clamp(x, -1.0, 1.0), tl.maximum(x, -1.0), tl.minimum(x, 1.0)),
        *(tl.cumsum(x), tl.where(y > 0.0, x, y), tl.reverse(x), tl.sum(x), tl.prod(x), tl.logsumexp(x), tl.norm(y)),
    )


# The rows of `cumsum`, `where`, `reverse`, and of the four sums, products and norms.
LAST = (np.tril(np.ones((2, 2))), np.eye(2), np.eye(2)[::-1], np.ones((4, 2)))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("mode", MODES)
def test_nan_passes_through_every_function(mode: str) -> None:
    pattern = found(smooth, np.zeros(2), mode=mode)
    last = np.concatenate(LAST).astype(bool)
    elementwise = pattern[: -len(last)]
    assert np.array_equal(elementwise, np.tile(np.eye(2, dtype=bool), (len(elementwise) // 2, 1)))
    assert np.array_equal(pattern[-len(last) :], last)


def test_constants_have_no_entries() -> None:
    pattern = found(lambda x: (tl.floor(x), tl.sign(x), tl.stop_gradient(x), tl.zeros_like(x), len(x)), np.ones(3))
    assert pattern.shape == (12, 3) and not pattern.any()


def test_fast_math_keeps_nan_where_patterns_are_found() -> None:
    fast = tl.jit(lambda x: x[1:] * x[:-1], fastmath=True)
    assert np.array_equal(found(fast, np.zeros(3)), [[1, 1, 0], [0, 1, 1]])


def test_infinite_derivatives_are_refused() -> None:
    with pytest.raises(ArgumentError, match="derivatives are infinite or NaN; call it first with arguments that have"):
        found(lambda x: tl.sqrt(x), np.zeros(3))


def test_without_scipy_it_is_told_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    monkeypatch.setitem(sys.modules, "scipy", None)
    for make in (tl.sparse_jacobian, tl.sparse_hessian):
        with pytest.raises(ImportError, match="gives matrices of scipy, which is not installed; `pip install scipy`"):
            make(smooth)
