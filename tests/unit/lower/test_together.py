"""Gradients with reciprocal roots, in groups of iterations: lengths, edges of floats, which instructions they take."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import pytest

import tapeless as tl
from tapeless._mlir import ir
from tapeless.api import program
from tapeless.backend.codegen.llvm import Machine
from tapeless.backend.codegen.native import native_assembly
from tapeless.backend.compile import CompileOptions, lower
from tapeless.dialects.context import make_context

AVX512 = Machine("x86_64-unknown-linux-gnu", "skylake-avx512", "+avx,+avx2,+avx512f,+fma")
AVX2 = Machine("x86_64-unknown-linux-gnu", "haswell", "+avx,+avx2,+fma")
SSE = Machine("x86_64-unknown-linux-gnu", "x86-64", "+sse2")
NEON = Machine("aarch64-unknown-linux-gnu", "neoverse-n1", "+neon")


@tl.function
def springs(p: tl.f64[:, 2], rest: tl.f64) -> tl.f64:
    energy = 0.0
    for i in range(p.shape[0] - 1):
        dx, dy = p[i, 0] - p[i + 1, 0], p[i, 1] - p[i + 1, 1]
        energy += 1.5 * (tl.sqrt(dx**2 + dy**2) - rest) ** 2
    return energy


@tl.function
def lengths(p: tl.f64[:, 2], rest: tl.f64) -> tl.f64:
    return tl.sum(tl.map(lambda row: tl.sqrt(row[0] * row[0] + row[1] * row[1] + rest), p))


@tl.function
def directions(p: tl.f64[:, 2], rest: tl.f64) -> tl.f64:
    return tl.sum(tl.map(lambda row: row[0] / tl.sqrt(row[0] * row[0] + row[1] * row[1]), p)) * rest


def slopes_of_springs(p: np.ndarray, rest: float) -> np.ndarray:
    wide = p.astype(np.longdouble)
    along = wide[:-1] - wide[1:]
    length = np.sqrt(np.sum(along**2, axis=1, keepdims=True))
    force = 3.0 * (length - rest) / length * along
    found = np.zeros_like(wide)
    found[:-1] += force
    found[1:] -= force
    return found.astype(float)


# The width of registers, and whether LLVM makes steps from estimates: as here, and as elsewhere.
KINDS = ((None, None), (128, False), (256, False), (512, False))


@pytest.fixture(params=KINDS, ids=("as here", "pairs", "four", "eight"))
def _kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Compiles for such a processor, away from kernels that were compiled for others."""
    width, by_steps = request.param
    if width is not None:
        monkeypatch.setattr(Machine, "vector_bits", width)
        monkeypatch.setattr(Machine, "root_steps", by_steps)
        monkeypatch.setattr(program, "_in_use", WeakValueDictionary())
        monkeypatch.setenv("TAPELESS_CACHE_DIR", str(tmp_path))


@pytest.mark.one_in(2)
@pytest.mark.usefixtures("_kind")
@pytest.mark.parametrize("count", [0, 1, 2, 3, 8, 9, 10, 16, 17, 25, 60])
def test_all_lengths(count: int) -> None:
    p = np.random.default_rng(count).normal(size=(count, 2)).cumsum(axis=0)
    found = tl.grad(springs, method="coarsened")(p, 0.8)
    np.testing.assert_allclose(found, slopes_of_springs(p, 0.8), rtol=1e-13, atol=1e-14)
    for function in (lengths, directions):
        by_steps = tl.grad(function, method="redundant")(p, 0.8)
        np.testing.assert_allclose(tl.grad(function, method="coarsened")(p, 0.8), by_steps, rtol=1e-14, atol=1e-15)


EDGES = (0.0, 5e-324, 1e-310, 1e-200, 1e-160, 1e-154, 1e-100, 1e100, 1e154, 1e160, 1e200, 1.7e308)


@pytest.mark.one_in(2)
@pytest.mark.usefixtures("_kind")
@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("function", [springs, lengths, directions], ids=lambda f: f.__name__)
def test_edges(function: Any, edge: float) -> None:
    """Where squares leave the normal numbers, in any place of a group, results are those of `redundant`."""
    rng = np.random.default_rng(1)
    for place in (0, 3, 8, 12):
        p = rng.normal(size=(14, 2)).cumsum(axis=0)
        p[place] = (edge, -edge)
        p[place + 1] = (edge, edge)
        was = tl.grad(function, method="redundant")(p, 0.0)
        now = tl.grad(function, method="coarsened")(p, 0.0)
        there = np.isfinite(was)
        np.testing.assert_allclose(now[there], was[there], rtol=1e-13, atol=1e-300)


def assembly(function: Any, machine: Machine) -> str:
    """The assembly of a gradient for a processor."""
    text = tl.compile(tl.grad(function, method="coarsened"), (np.ones((5, 2)), 0.8)).ir("ad")
    with make_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        lower(module, CompileOptions(machine=machine))
        return native_assembly(module, machine)


@pytest.mark.one_in(7)
@pytest.mark.parametrize("function", [springs, lengths, directions], ids=lambda f: f.__name__)
@pytest.mark.parametrize(
    ("machine", "there", "gone"),
    [
        (AVX512, r"vpsrlq\t\$1, %[yz]mm", r"sqrtpd|divpd"),
        (AVX2, r"vpsrlq\t\$1, %[xy]mm", r"sqrtpd|divpd"),
        (SSE, r"sqrt[ps]d", "rsqrt|fma"),
        (NEON, r"frsqrte\tv\d+\.2d", r"fsqrt\tv|fdiv\tv"),
    ],
    ids=("AVX-512", "AVX2", "SSE2", "NEON"),
)
def test_instructions(machine: Machine, there: str, gone: str, function: Any) -> None:
    """Roots and divisions of registers are left where sums and products cannot be fused alone."""
    text = assembly(function, machine)
    assert re.search(there, text)
    assert not re.search(gone, text)
