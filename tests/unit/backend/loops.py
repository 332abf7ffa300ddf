"""Kernels written as loops IR, compiled and called without the passes before the back end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.abi import Abi, Parameter, Result, Site, sites_to_json
from tapeless.backend.compile import generate
from tapeless.passes.lower.llvm.to_llvm import ToLLVM
from tapeless.runtime.calling.calls import Calls
from tapeless.runtime.code import CompiledCode, Structure

VECTOR = Parameter("array", "f64", (None,))
LIKE_FIRST = Result("array", "f64", "out", (["dim", 0, 0],))
NUMBER = Result("scalar", "f64", "value")


def compile_loops(text: str, abi: Abi, sites: Sequence[Site] = ()) -> CompiledCode:
    """Compiles a module whose kernel has the attribute `tapeless.abi = ABI`."""
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(text.replace("ABI", json.dumps(abi.to_json())))
        module.operation.attributes["tapeless.sites"] = ir.StringAttr.get(sites_to_json(sites))
        ToLLVM().run(module)
        return generate(module)


def calls_of(text: str, abi: Abi, sites: Sequence[Site] = (), structure: Structure = 0) -> Calls:
    """The compiled module, ready to be called; parameters are named a, b, c, ..."""
    code = replace(compile_loops(text, abi, sites), structure=structure)
    return Calls(code, "abcdefgh"[: len(abi.parameters)], "kernel()")


def both_calls(calls: Calls) -> list[Any]:
    """The general and the fast call, which must not differ."""

    def unexpected(*arguments: Any) -> Any:
        raise AssertionError(f"the fast call gave up on {arguments}")

    return [calls.general, calls.fast(unexpected)]


ADD_SCALED = """
func.func @add_scaled(%x: memref<?xf64>, %y: memref<?xf64>, %s: f64, %out: memref<?xf64>)
    attributes {tapeless.abi = ABI} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<?xf64>
    %b = memref.load %y[%i] : memref<?xf64>
    %c = arith.mulf %a, %s : f64
    %d = arith.addf %c, %b : f64
    memref.store %d, %out[%i] : memref<?xf64>
  }
  return
}
"""
ADD_SCALED_ABI = Abi((VECTOR, VECTOR, Parameter("scalar", "f64")), (LIKE_FIRST,))

SUM_WITH_CHECK = """
func.func private @tl_fail(i64, i64, !llvm.ptr)
func.func @checked_sum(%x: memref<?xf64>, %least: i64) -> f64 attributes {tapeless.abi = ABI} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %size = arith.index_cast %n : index to i64
  %bad = arith.cmpi slt, %size, %least : i64
  scf.if %bad {
    %values = memref.alloca() : memref<2xi64>
    memref.store %size, %values[%c0] : memref<2xi64>
    memref.store %least, %values[%c1] : memref<2xi64>
    %address = memref.extract_aligned_pointer_as_index %values : memref<2xi64> -> index
    %word = arith.index_cast %address : index to i64
    %pointer = llvm.inttoptr %word : i64 to !llvm.ptr
    %site = arith.constant 1 : i64
    %count = arith.constant 2 : i64
    func.call @tl_fail(%site, %count, %pointer) : (i64, i64, !llvm.ptr) -> ()
  }
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> f64 {
    %a = memref.load %x[%i] : memref<?xf64>
    %s = arith.addf %acc, %a fastmath<reassoc> : f64
    scf.yield %s : f64
  }
  return %r : f64
}
"""
SUM_WITH_CHECK_ABI = Abi((VECTOR, Parameter("scalar", "i64")), (NUMBER,))
SUM_SITES = (
    Site("IndexOutOfRange", "not this one", "model.py", 3),
    Site("ShapeMismatch", "size {} is less than {}", "model.py", 12, ("i64", "i64")),
)

ALLOCATES = """
func.func @doubled(%n: i64) -> memref<?xf64> attributes {tapeless.abi = ABI} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.index_cast %n : i64 to index
  %t = memref.alloc(%size) : memref<?xf64>
  %u = memref.alloc(%size) : memref<?xf64>
  scf.for %i = %c0 to %size step %c1 {
    %k = arith.index_cast %i : index to i64
    %v = arith.sitofp %k : i64 to f64
    memref.store %v, %t[%i] : memref<?xf64>
  }
  scf.for %i = %c0 to %size step %c1 {
    %v = memref.load %t[%i] : memref<?xf64>
    %w = arith.addf %v, %v : f64
    memref.store %w, %u[%i] : memref<?xf64>
  }
  memref.dealloc %t : memref<?xf64>
  return %u : memref<?xf64>
}
"""
ALLOCATES_ABI = Abi((Parameter("scalar", "i64"),), (Result("array", "f64", "allocated", (None,)),))
