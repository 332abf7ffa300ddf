"""Bundles with code for several processors: which are tried first, what runs here, and the names that are refused."""

from __future__ import annotations

import platform
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless.backend.saving import processors, targets
from tapeless.backend.saving.processors import PORTABLE
from tapeless.runtime.bundle import cpu
from tapeless.runtime.bundle.choose import obstacle, read_bundle

ALL = ("aarch64", "x86_64", "native", "x86_64-avx512", "x86_64-avx2")
IN_ORDER = ["native", "x86_64-avx512", "x86_64-avx2", "x86_64", "aarch64"]
HERE = [name for name in PORTABLE if name.startswith(platform.machine())]
X = np.linspace(0.0, 1.0, 100)


@tl.function
def norm(x: tl.f64[:]):
    return tl.sqrt(tl.sum(tl.exp(x) * x))


gradient = tl.value_and_grad(norm)


@pytest.fixture(scope="module")
def data() -> bytes:
    return tl.compile(gradient).to_bytes(ALL)


def test_better_code_is_tried_first(data: bytes) -> None:
    assert [target.name for target in read_bundle(data, "").targets] == IN_ORDER


def test_every_target_has_all_parts(data: bytes) -> None:
    for target in read_bundle(data, "").targets:
        assert set(target.parts) == {"kernel.image", "kernel.o", "kernel.so", "kernel.h", "tapeless_runtime.h"}
        assert target.parts["kernel.o"][:4] == target.parts["kernel.so"][:4] == b"\x7fELF"
        assert target.details["symbol"] == "tapeless_value_and_grad_norm"


def test_what_runs_here_gives_the_same_values(data: bytes) -> None:
    value, adjoint = gradient(X)
    runs = [target.name for target in read_bundle(data, "").targets if obstacle(target) is None]
    assert "native" in runs
    for name in runs:
        loaded = tl.load(data, target=name)
        assert f"({name})" in loaded.explain()
        found, found_adjoint = loaded(X)
        np.testing.assert_allclose(found, value, rtol=1e-14)
        np.testing.assert_allclose(found_adjoint, adjoint, rtol=1e-13)
    found, found_adjoint = tl.load(data)(X)
    assert found == value and np.array_equal(found_adjoint, adjoint)


@pytest.mark.parametrize(
    ("machine", "has", "expected"),
    [
        ("x86_64", processors.NEEDS_AVX512, "x86_64-avx512"),
        ("x86_64", processors.NEEDS_AVX2, "x86_64-avx2"),
        ("x86_64", ("sse2", "avx"), "x86_64"),
        ("aarch64", ("fp", "asimd"), "aarch64"),
    ],
)
def test_the_processor_decides(
    data: bytes, monkeypatch: pytest.MonkeyPatch, machine: str, has: tuple[str, ...], expected: str
) -> None:
    pretend(monkeypatch, machine, (*has, "sse2"))
    runs = [target.name for target in read_bundle(data, "").targets if obstacle(target) is None]
    assert runs[0] == expected


def test_a_processor_that_has_no_code_is_told_why(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "riscv64", ())
    with pytest.raises(
        tl.BundleError, match="'x86_64' is for x86_64 processors, and this one is riscv64; 'aarch64' is"
    ):
        tl.load(data)
    pretend(monkeypatch, "x86_64", ("sse2",))
    with pytest.raises(tl.BundleError, match=r"'x86_64-avx2' needs a processor that has abm, avx, avx2, .* for it"):
        tl.load(data, target="x86_64-avx2")


def pretend(monkeypatch: pytest.MonkeyPatch, machine: str, has: tuple[str, ...]) -> None:
    """Another processor, as the loader sees it."""
    real = cpu.os.uname()
    other = type(real)((real.sysname, real.nodename, real.release, real.version, machine))
    monkeypatch.setattr(cpu.os, "uname", lambda: other)
    monkeypatch.setattr(cpu, "features", lambda: frozenset(has))


def test_a_target_by_name_or_kind(data: bytes) -> None:
    assert tl.load(data, target="cpu")(X)[0] == tl.load(data, target="native")(X)[0]
    with pytest.raises(tl.BundleError, match="has no target 'cuda'; it has 'native', 'x86_64-avx512'"):
        tl.load(data, target="cuda")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["x86_64-avx"], "unknown target 'x86_64-avx' to save for; did you mean 'x86_64-avx2'"),
        (["pdp11"], "unknown target 'pdp11' to save for"),
        ([3], "a target to save for is 3"),
        ([], "names no target"),
        ("", "unknown target '' to save for"),
    ],
)
def test_other_names_are_refused(names: Any, message: str) -> None:
    with pytest.raises(tl.ArgumentError, match=message):
        tl.compile(norm).to_bytes(targets=names)


def test_one_name_may_stand_alone() -> None:
    assert [name for _, name in targets.in_order("aarch64")] == ["aarch64"]
    assert [name for _, name in targets.in_order(["aarch64", "aarch64"])] == ["aarch64"]


@pytest.mark.parametrize("symbol", ["2x", "a b", "", "while", "tl_alloc", 3])
def test_a_symbol_is_a_name_of_c(symbol: Any) -> None:
    with pytest.raises(tl.ArgumentError, match="symbol="):
        tl.compile(norm).to_bytes(symbol=symbol)


def test_a_symbol_that_the_kernel_has_is_refused() -> None:
    with pytest.raises(tl.ArgumentError, match="symbol='norm' is the name of another function of the kernel"):
        tl.compile(norm).to_bytes(symbol="norm")


def test_this_processor_is_among_the_portable_ones() -> None:
    """Every machine that tests run on can load some code that was not compiled for it alone."""
    assert HERE
    assert any(set(PORTABLE[name].needs) <= cpu.features() for name in HERE)
