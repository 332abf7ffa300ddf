"""Vectors of every width that a processor may have, whatever this one has: LLVM splits those that are too wide."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from weakref import WeakValueDictionary

import numpy as np
import pytest

import tapeless as tl
from tapeless.api import program
from tapeless.backend.codegen.llvm import Machine

from .test_products import LAYOUTS, expected, matrices, plain
from .test_programs import masked_nearest, mixture

WIDTHS = (128, 256, 512)


@pytest.fixture(params=WIDTHS, autouse=True)
def width(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> int:
    """Compiles for registers of this width, away from kernels that were compiled for others."""
    monkeypatch.setattr(Machine, "vector_bits", request.param)
    monkeypatch.setattr(program, "_in_use", WeakValueDictionary())
    monkeypatch.setenv("TAPELESS_CACHE_DIR", str(tmp_path))
    return request.param


def test_code_has_the_width(width: int) -> None:
    text = tl.compile(plain, matrices("nn", 9, 17, 5)).ir("lower-vectorise")
    assert f"vector<{2 * width // 64}xf64>" in text
    assert f"vector<{2 * 1024 // 64}xf64>" not in text


def test_products_by_few_columns_have_narrower_tiles(width: int) -> None:
    """A quarter of the wide ones, four lanes at least, and pairs."""
    text = tl.compile(plain, matrices("nn", 9, 17, 5)).ir("lower-vectorise")
    found = {int(lanes) for lanes in re.findall(r"vector<(\d+)xf64>", text)}
    assert found == {128: {4, 2}, 256: {8, 4, 2}, 512: {16, 4, 2}}[width]


def test_rows_that_fit_into_registers_run_together(width: int) -> None:
    text = tl.compile(plain, matrices("nn", 9, 17, 5)).ir("lower-vectorise")
    rows = {128: 8, 256: 4, 512: 8}[width]
    assert re.search(rf"%\d+:{rows} = scf\.for .*vector<{2 * width // 64}xf64>", text)


@pytest.mark.one_in(8)
@pytest.mark.parametrize("function", LAYOUTS, ids=lambda function: function.__name__)
def test_products(function: object) -> None:
    dtype, tolerance = (np.float32, 1e-5) if function.__name__.endswith("f32") else (np.float64, 1e-13)
    layout = LAYOUTS[function]
    kernel = tl.compile(function, matrices(layout, 9, 17, 5, dtype))
    for rows, columns, summed in product((1, 8, 21), (1, 3, 4, 7, 10, 17, 40), (0, 5, 19, 1100)):
        a, b = matrices(layout, rows, columns, summed, dtype)
        allowed = tolerance * max(summed, 1)
        np.testing.assert_allclose(kernel(a, b), expected(layout, a, b), rtol=allowed, atol=allowed)


def test_bools_in_memory() -> None:
    rng = np.random.default_rng(1)
    x, y, wanted = rng.normal(size=(41, 4)), rng.normal(size=(5, 4)), rng.random(41) > 0.5
    kernel = tl.compile(masked_nearest, (x, y, wanted))
    for n in (0, 1, 3, 16, 41):
        best = ((x[:n, None] - y[None]) ** 2).sum(-1).min(-1)
        np.testing.assert_allclose(kernel(x[:n], y, wanted[:n]), np.where(wanted[:n], best, -best), rtol=1e-12)


@pytest.mark.one_in(3)
def test_gradient_that_sums_over_points() -> None:
    rng = np.random.default_rng(2)
    kernel = tl.compile(tl.grad(mixture, argnums=0), (np.ones((4, 3)), np.ones((4, 3, 3)), np.ones((7, 3))))
    for n, d in product((0, 5, 40, 77), (1, 3, 10)):
        means, factors, x = rng.normal(size=(4, d)), rng.normal(size=(4, d, d)) / d, rng.normal(size=(n, d))
        y = np.einsum("kij,nkj->nki", factors, x[:, None] - means)
        weights = np.exp(-0.5 * (y**2).sum(-1))
        weights /= weights.sum(-1, keepdims=True)
        wanted = np.einsum("nk,nki,kij->kj", weights, y, factors)
        np.testing.assert_allclose(kernel(means, factors, x), wanted, rtol=1e-9, atol=1e-11)
