"""Long sums of products of columns, which run in stretches: their values, their bits, and where they are cut."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from weakref import WeakValueDictionary

import numpy as np
import pytest

import tapeless as tl
from tapeless.api import program
from tapeless.passes.lower.vectorise.panels import stretches

from .test_products import both_transposed, both_transposed_f32, expected, left_transposed, matrices, plain

# One stretch, two, three; ends of every kind.
SUMMED = (0, 3, 1023, 1024, 1025, 1537, 2100)
ROWS, COLUMNS = (1, 8, 21), (1, 17, 40)


@tl.function
def with_more(a: tl.f64[:, :], b: tl.f64[:, :], c: tl.f64[:, :]):
    """What is done with a sum when it is whole, and with two sums."""
    return 2.0 * (a.T @ b) + c, tl.sum(c * (a.T @ (b * b)))


@tl.function
def two_sums(a: tl.f64[:, :], b: tl.f64[:, :]):
    return tl.map(lambda x: tl.map(lambda y: tl.sum(x * y) - tl.max(x + y), b.T), a.T)


def is_cut(kernel: tl.Kernel) -> bool:
    return str(stretches.SHORTEST) in kernel.ir("lower-vectorise")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("function", [left_transposed, both_transposed, both_transposed_f32])
def test_all_sizes(function: tl.TapelessFunction) -> None:
    layout = "tt" if function is not left_transposed else "tn"
    dtype, tolerance = (np.float32, 2e-4) if function is both_transposed_f32 else (np.float64, 1e-12)
    for rows, columns, summed in product(ROWS, COLUMNS, SUMMED):
        a, b = matrices(layout, rows, columns, summed, dtype)
        np.testing.assert_allclose(function(a, b), expected(layout, a, b), rtol=tolerance, atol=tolerance * 40)
    assert is_cut(function.lower(a, b))


def test_what_comes_after_the_sum_runs_once() -> None:
    for summed in SUMMED:
        a, b = matrices("tn", 21, 17, summed)
        c = np.random.default_rng(summed).normal(size=(21, 17))
        matrix, total = with_more(a, b, c)
        np.testing.assert_allclose(matrix, 2.0 * (a.T @ b) + c, rtol=1e-12, atol=1e-11)
        np.testing.assert_allclose(total, np.sum(c * (a.T @ (b * b))), rtol=1e-11, atol=1e-9)


def test_several_sums_wait() -> None:
    for summed in (1, 1024, 2100):
        a, b = matrices("tn", 13, 19, summed)
        wanted = a.T @ b - (a.T[:, None] + b.T[None]).max(axis=2)
        np.testing.assert_allclose(two_sums(a, b), wanted, rtol=1e-11, atol=1e-11)


def test_bits_are_those_of_one_stretch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    a, b = matrices("tn", 53, 77, 2600)
    cut = left_transposed(a, b)
    monkeypatch.setattr(stretches, "SHORTEST", 1 << 40)
    monkeypatch.setattr(program, "_in_use", WeakValueDictionary())
    monkeypatch.setenv("TAPELESS_CACHE_DIR", str(tmp_path))
    whole = tl.compile(tl.TapelessFunction(left_transposed.source), (a, b))
    assert np.array_equal(whole(a, b), cut)


def test_bits_are_the_same_on_threads() -> None:
    a, b = matrices("tn", 211, 35, 2600)
    one, four = (tl.compile(left_transposed, (a, b), threads=threads)(a, b) for threads in (1, 4))
    assert np.array_equal(one, four)


def test_gradients_are_products_too() -> None:
    a, b = matrices("tn", 9, 12, 1500)
    gradient = tl.grad(lambda a, b: tl.sum(a.T @ b), argnums=(0, 1))(a, b)
    np.testing.assert_allclose(gradient[0], np.broadcast_to(b.sum(axis=1)[:, None], a.shape), rtol=1e-12)
    np.testing.assert_allclose(gradient[1], np.broadcast_to(a.sum(axis=1)[:, None], b.shape), rtol=1e-12)


def test_rows_and_short_sums_are_not_cut() -> None:
    assert not is_cut(plain.lower(*matrices("nn", 9, 17, 5)))
    assert not is_cut(tl.compile(left_transposed, (tl.f64[1000, 30], tl.f64[1000, 40])))
    assert is_cut(tl.compile(left_transposed, (tl.f64[3000, 30], tl.f64[3000, 40])))
