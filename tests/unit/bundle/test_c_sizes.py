"""Sizes of results as the C function computes them, against the rules by which Python computes them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapeless.abi import LONGEST_AXIS, Abi, Expr, Parameter, Result, evaluate
from tapeless.backend.codegen.llvm import emit_object, host, optimise
from tapeless.backend.compile import Contract
from tapeless.backend.linking.link import link
from tapeless.backend.saving.c_function import TL_BAD_SIZE, c_function_text
from tapeless.backend.saving.c_names import CFunction
from tapeless.runtime.image import LoadedImage

# A kernel that gives back the size of its first result, which comes after two arguments, a size, and a pointer.
KERNEL = """
define void @f__entry(ptr %slots) {
  %from = getelementptr i64, ptr %slots, i64 4
  %to = getelementptr i64, ptr %slots, i64 5
  %size = load i64, ptr %from
  store i64 %size, ptr %to
  ret void
}
"""
EXPRESSIONS: list[Expr] = [
    7,
    ["dim", 0, 0],
    ["arg", 1],
    ["add", ["dim", 0, 0], ["arg", 1]],
    ["sub", ["arg", 1], 5],
    ["mul", ["dim", 0, 0], ["arg", 1]],
    ["floordiv", ["arg", 1], 3],
    ["floordiv", ["sub", 10, ["arg", 1]], ["dim", 0, 0]],
    ["min", ["dim", 0, 0], ["arg", 1]],
    ["max", ["mul", ["arg", 1], ["arg", 1]], ["floordiv", ["arg", 1], -2]],
]


@cache
def computed_by_c(number: int) -> Callable[[int, int], int | None]:
    """The size that an expression has for the size of an array and a number, or None where it is refused."""
    results = (Result("array", "f64", "out", (EXPRESSIONS[number],)), Result("scalar", "i64", "value"))
    abi = Abi((Parameter("array", "f64", (None,)), Parameter("scalar", "i64")), results)
    function = CFunction.of("f_in_c", ["x", "n"], abi, (0, 1))
    text = KERNEL + c_function_text(function, Contract("f__entry", abi, ()))
    image = LoadedImage(link(emit_object(optimise(text, host(), ("f_in_c",)), host())))
    words = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    called = ctypes.CFUNCTYPE(ctypes.c_int32, *words)(image.address("f_in_c"))

    def compute(size: int, n: int) -> int | None:
        found = ctypes.c_int64(-1)
        kind = called(1, size, n, 1, ctypes.addressof(found), None)
        assert kind in (0, TL_BAD_SIZE) and image
        return found.value if kind == 0 else None

    return compute


def computed_by_python(number: int, size: int, n: int) -> int | None:
    if not 0 <= size <= LONGEST_AXIS:
        return None
    try:
        found = evaluate(EXPRESSIONS[number], [(size,), ()], [0, n])
    except (ZeroDivisionError, OverflowError):
        return None
    return found if 0 <= found <= LONGEST_AXIS else None


numbers = st.integers(-20, 20) | st.integers(-(2**63), 2**63 - 1) | st.sampled_from([LONGEST_AXIS, LONGEST_AXIS + 1])


@pytest.mark.one_in(4)
@pytest.mark.parametrize("number", range(len(EXPRESSIONS)))
@given(size=numbers, n=numbers)
def test_c_and_python_agree(number: int, size: int, n: int) -> None:
    """C refuses a little more: sums that leave 64 bits on the way and come back."""
    found = computed_by_c(number)(size, n)
    assert found in (computed_by_python(number, size, n), None)
    if abs(size) <= 20 and abs(n) <= 20:
        assert found == computed_by_python(number, size, n)
