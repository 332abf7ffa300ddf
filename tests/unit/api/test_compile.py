"""`tl.compile`, `tl.jit`, options, and what a kernel shows of itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl


@tl.function
def weighted(x: tl.f64[:], w: tl.f64[:]) -> tl.f64:
    return tl.sum(x * w)


@tl.function
def untyped(x, k):
    return x * k


@tl.function
def element(x: tl.f64[:], i: tl.i64) -> tl.f64:
    return x[i]


X = np.arange(4.0)


@pytest.mark.parametrize("signature", [None, (tl.f64[:], tl.f64[:]), (X, X), (tl.f64[4], X)])
def test_signatures(signature: Any) -> None:
    assert tl.compile(weighted, signature)(X, X) == 14.0


def test_a_fixed_size_in_the_signature_is_checked() -> None:
    kernel = tl.compile(weighted, (tl.f64[4], tl.f64[4]))
    with pytest.raises(tl.ShapeMismatch, match="'x' has size 3"):
        kernel(X[:3], X[:3])


def test_a_kernel_takes_names_and_one_set_of_types() -> None:
    kernel = tl.compile(untyped, (tl.f64[:], tl.i64))
    np.testing.assert_array_equal(kernel(k=2, x=X), 2.0 * X)
    with pytest.raises(tl.TypeMismatch):
        kernel(X, 2.5)
    with pytest.raises(tl.ArgumentError, match="needs a value for 'k'"):
        kernel(X)


WRONG_SIGNATURES = [
    (untyped, None, tl.ArgumentError, "has no annotation for 'x'"),
    (untyped, (X,), tl.ArgumentError, "needs a value for 'k'"),
    (
        weighted,
        (tl.f32[:], tl.f64[:]),
        tl.TypeMismatch,
        r"'x' is annotated tl.f64\[:\], but the signature says tl.f32\[:\]",
    ),
]


@pytest.mark.parametrize(("function", "signature", "error", "message"), WRONG_SIGNATURES)
def test_wrong_signatures(function: Any, signature: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        tl.compile(function, signature)


WRONG_OPTIONS = [
    ({"method": "redundent"}, tl.ArgumentError, "unknown method 'redundent'; did you mean 'redundant'?"),
    ({"target": "gpu"}, tl.ArgumentError, "unknown target 'gpu'; did you mean 'cuda'?"),
    ({"target": "cpuu"}, tl.ArgumentError, "unknown target 'cpuu'; did you mean 'cpu'?"),
    ({"target": "cuda:sm_9"}, tl.ArgumentError, "unknown target 'cuda:sm_9'; did you mean 'cuda:sm_90'?"),
    ({"treads": 2}, tl.ArgumentError, "unknown option 'treads'; did you mean 'threads'?"),
    ({"threads": 0}, tl.ArgumentError, "threads=0 is not a number of threads"),
    ({"threads": True}, tl.ArgumentError, "threads=True"),
    ({"checks": "of"}, tl.ArgumentError, "did you mean 'off'?"),
    ({"checks": False}, tl.ArgumentError, "give one of 'on', 'off'"),
    ({"fastmath": ("contrct",)}, tl.ArgumentError, "did you mean 'contract'?"),
    ({"fastmath": 3}, tl.ArgumentError, "fastmath=3"),
    ({"deterministic": 1}, tl.ArgumentError, "deterministic=1"),
    ({"recipes": "of"}, tl.ArgumentError, "unknown value for recipes 'of'; did you mean 'off'?"),
    ({"denormals": "flash"}, tl.ArgumentError, "unknown value for denormals 'flash'; did you mean 'flush'?"),
    ({"denormals": "flush", "target": "cuda:sm_90"}, tl.ArgumentError, "the target is 'cuda:sm_90'"),
]


@pytest.mark.parametrize(("options", "error", "message"), WRONG_OPTIONS)
def test_wrong_options(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as raised:
        tl.jit(weighted, **options)
    assert message in str(raised.value)


def test_options_do_not_change_the_result() -> None:
    for options in (
        {"threads": 2},
        {"checks": "off"},
        {"fastmath": True},
        {"fastmath": ()},
        {"deterministic": False},
        {"denormals": "flush"},
        {"recipes": "off"},
    ):
        assert tl.jit(weighted, **options)(X, X) == 14.0


def test_fastmath_decides_the_flags_of_the_program() -> None:
    assert "fastmath<contract>" in tl.compile(weighted).ir("soac-simplify")
    assert "fastmath<fast>" in tl.compile(weighted, fastmath=True).ir("soac-simplify")
    assert "fastmath" not in tl.compile(weighted, fastmath=()).ir("soac-simplify")


def test_checks_find_indices_out_of_range() -> None:
    assert element(X, -1) == 3.0
    for index in (4, -5):
        with pytest.raises(tl.IndexOutOfRange, match=r"test_compile.py"):
            element(X, index)
    assert tl.jit(element, checks="off")(X, 2) == 2.0


def test_stages_and_assembly() -> None:
    kernel = tl.compile(weighted)
    assert "soac.reduce" in kernel.ir("input")
    assert "memref" in kernel.ir("loops") and "soac" not in kernel.ir("loops")
    assert "llvm.func" in kernel.ir("llvm")
    assert "weighted__entry" in kernel.asm()
    with pytest.raises(tl.ArgumentError, match="there is no stage 'lops'; stages are input, ad, fuse, loops, llvm"):
        kernel.ir("lops")


def test_timing_names_every_part_of_a_compilation() -> None:
    kernel = tl.compile(weighted)
    parts = [line.split(")", 1)[1].strip() for line in kernel.timing().splitlines() if "%)" in line]
    assert parts[:4] == ["Frontend", "rev-lower", "soac-core-only", "ad-promises"]
    assert parts[-5:] == ["LLVM optimiser", "LLVM code generator", "Linker", "Rest", "Total"]
    summed = [line.split(")", 1)[1].strip() for line in kernel.timing(as_list=True).splitlines() if "%)" in line]
    assert all(summed.count(part) == 1 for part in ("soac-fuse", "lower-loops", "Linker"))


def test_explain_and_abi_name_types() -> None:
    kernel = weighted.lower(X, X)
    assert "x: tl.f64[:]" in kernel.explain()
    assert repr(kernel) == "<kernel weighted(tl.f64[:], tl.f64[:]) for cpu>"
    assert [parameter.dtype for parameter in kernel.abi.parameters] == ["f64", "f64"]


def test_only_functions_can_be_decorated() -> None:
    with pytest.raises(tl.ArgumentError, match="takes a Python function"):
        tl.function(3)  # type: ignore[arg-type]
    assert tl.function(weighted) is weighted
