"""Loops IR becomes native code that computes what numpy computes."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from tapeless.abi import Abi, Parameter, Result
from tapeless.errors import ShapeMismatch
from tapeless.runtime.calling.calls import Calls
from tapeless.runtime.counters import memory_counters

from . import loops


@pytest.mark.parametrize("size", [0, 1, 7, 64, 1000])
def test_arrays_and_scalars_go_in_and_a_provided_array_comes_out(size: int) -> None:
    generator = np.random.default_rng(size)
    x, y = generator.random(size), generator.random(size)
    for call in loops.both_calls(loops.calls_of(loops.ADD_SCALED, loops.ADD_SCALED_ABI)):
        np.testing.assert_allclose(call(x, y, 2.5), x * 2.5 + y, rtol=1e-15)


def test_a_failed_check_raises_with_its_values_and_line() -> None:
    calls = loops.calls_of(loops.SUM_WITH_CHECK, loops.SUM_WITH_CHECK_ABI, loops.SUM_SITES)
    for call in loops.both_calls(calls):
        assert call(np.arange(10.0), 10) == 45.0
        with pytest.raises(ShapeMismatch, match=r"model.py:12: size 10 is less than 11"):
            call(np.arange(10.0), 11)


def test_an_array_the_kernel_allocates_is_freed_with_the_last_view_of_it() -> None:
    calls = loops.calls_of(loops.ALLOCATES, loops.ALLOCATES_ABI)
    before = memory_counters().live_bytes
    result = calls.general(1000)
    np.testing.assert_array_equal(result, 2.0 * np.arange(1000))
    view = result[10:20]
    assert memory_counters().live_bytes == before + 8000
    del result
    gc.collect()
    assert view[0] == 20.0
    del view
    gc.collect()
    assert memory_counters().live_bytes == before


@pytest.mark.parametrize("size", [2**40, 2**62, 2**63 - 1])
def test_huge_allocations_are_a_memory_error(size: int) -> None:
    calls = loops.calls_of(loops.ALLOCATES, loops.ALLOCATES_ABI)
    with pytest.raises(MemoryError):
        calls.general(size)


SCALARS = """
func.func @scalars(%a: f32, %b: i32, %c: i1, %d: i64) -> (f32, i32, i1, i64) attributes {tapeless.abi = ABI} {
  %one = arith.constant 1 : i64
  %true = arith.constant true
  %r0 = arith.addf %a, %a : f32
  %r1 = arith.addi %b, %b : i32
  %r2 = arith.xori %c, %true : i1
  %r3 = arith.subi %d, %one : i64
  return %r0, %r1, %r2, %r3 : f32, i32, i1, i64
}
"""


def test_scalars_of_every_type_keep_their_values() -> None:
    dtypes = ("f32", "i32", "i1", "i64")
    abi = Abi(
        tuple(Parameter("scalar", dtype) for dtype in dtypes),
        tuple(Result("scalar", dtype, "value") for dtype in dtypes),
    )
    for call in loops.both_calls(loops.calls_of(SCALARS, abi, structure=(0, (1, 2), 3))):
        single, (integer, flag), word = call(0.1, -(2**30), True, -(2**63) + 1)
        assert isinstance(single, np.float32) and single == np.float32(0.1) * 2
        assert type(integer) is int and integer == -(2**31)
        assert flag is False
        assert type(word) is int and word == -(2**63)


def test_more_arguments_than_the_fast_call_takes() -> None:
    count = 130
    arguments = ", ".join(f"%x{number}: memref<?xf64>" for number in range(count))
    sums = "\n".join(
        f"%v{number} = memref.load %x{number}[%c0] : memref<?xf64>\n"
        f"%s{number + 1} = arith.addf %s{number}, %v{number} : f64"
        for number in range(count)
    )
    text = f"""func.func @many({arguments}) -> f64 attributes {{tapeless.abi = ABI}} {{
      %c0 = arith.constant 0 : index
      %s0 = arith.constant 0.0 : f64
      {sums}
      return %s{count} : f64
    }}"""
    code = loops.compile_loops(text, Abi((loops.VECTOR,) * count, (loops.NUMBER,)))
    calls = Calls(code, [f"x{number}" for number in range(count)], "many()")
    assert calls.fast(calls.general)(*(np.full(2, float(number)) for number in range(count))) == sum(range(count))
