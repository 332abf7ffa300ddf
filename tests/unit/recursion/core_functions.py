"""Recursive functions of core IR as text, compiled for every target and called on numpy arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.backend.compile import generate
from tapeless.passes.driver.pipeline import PassPipeline
from tapeless.runtime.calling.binding import call
from tapeless.runtime.image import LoadedImage
from tapeless.runtime.invoke import bind

TARGETS = {"plain": ("cpu-sequential", {}), "fast": ("cpu", {}), "threads": ("cpu", {"threads": 2})}

# n! by recursion on a scalar.
FACTORIAL = """
func.func private @factorial(%n: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %ends = arith.cmpi sle, %n, %c0 : i64
  %r = scf.if %ends -> (i64) {
    scf.yield %c1 : i64
  } else {
    %m = arith.subi %n, %c1 : i64
    %f = func.call @factorial(%m) : (i64) -> i64
    %p = arith.muli %n, %f : i64
    scf.yield %p : i64
  }
  return %r : i64
}
func.func @f(%n: i64) -> i64 {
  %r = func.call @factorial(%n) : (i64) -> i64
  return %r : i64
}
"""

# Prefix sums of x[low:high] by halves: the second half is moved by the last of the first.
PREFIXES = """
func.func private @prefixes(%low: index, %high: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = arith.subi %high, %low : index
  %ends = arith.cmpi sle, %n, %c1 : index
  %r = scf.if %ends -> (tensor<?xf64>) {
    scf.yield %x : tensor<?xf64>
  } else {
    %half = arith.divsi %n, %c2 : index
    %middle = arith.addi %low, %half : index
    %a = func.call @prefixes(%low, %middle, %x) : (index, index, tensor<?xf64>) -> tensor<?xf64>
    %b = func.call @prefixes(%middle, %high, %a) : (index, index, tensor<?xf64>) -> tensor<?xf64>
    %before = arith.subi %middle, %c1 : index
    %last = tensor.extract %b[%before] : tensor<?xf64>
    %size = arith.subi %high, %middle : index
    %old = tensor.extract_slice %b[%middle] [%size] [1] : tensor<?xf64> to tensor<?xf64>
    %new = "soac.map"(%size, %old) ({
    ^bb0(%i: index, %e: f64):
      %s = arith.addf %e, %last : f64
      "soac.yield"(%s) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    %c = tensor.insert_slice %new into %b[%middle] [%size] [1] : tensor<?xf64> into tensor<?xf64>
    scf.yield %c : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
"""
PREFIXES_OF_AN_ARRAY = (
    PREFIXES
    + """
func.func @f(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %y = func.call @prefixes(%c0, %n, %x) : (index, index, tensor<?xf64>) -> tensor<?xf64>
  return %y, %x : tensor<?xf64>, tensor<?xf64>
}
"""
)
# Of every column: arguments lie apart in memory, and calls stand in a map.
PREFIXES_OF_COLUMNS = (
    PREFIXES
    + """
func.func @f(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %rows = "soac.map"(%m) ({
  ^bb0(%k: index):
    %column = tensor.extract_slice %x[0, %k] [%n, 1] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %y = func.call @prefixes(%c0, %n, %column) : (index, index, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%y) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?x?xf64>
  %t = "soac.transpose"(%rows) {permutation = [1, 0]} : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %t : tensor<?x?xf64>
}
"""
)

# Two functions that call each other; the sign changes with every call, and a running sum is kept beside.
ALTERNATING = """
func.func private @plus(%n: i64, %x: tensor<?xf64>, %s: f64) -> (f64, tensor<?xf64>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %z = arith.constant 0 : index
  %ends = arith.cmpi sle, %n, %c0 : i64
  %r:2 = scf.if %ends -> (f64, tensor<?xf64>) {
    scf.yield %s, %x : f64, tensor<?xf64>
  } else {
    %m = arith.subi %n, %c1 : i64
    %e = tensor.extract %x[%z] : tensor<?xf64>
    %t = arith.addf %s, %e : f64
    %y = tensor.insert %t into %x[%z] : tensor<?xf64>
    %a:2 = func.call @minus(%m, %y, %t) : (i64, tensor<?xf64>, f64) -> (f64, tensor<?xf64>)
    scf.yield %a#0, %a#1 : f64, tensor<?xf64>
  }
  return %r#0, %r#1 : f64, tensor<?xf64>
}
func.func private @minus(%n: i64, %x: tensor<?xf64>, %s: f64) -> (f64, tensor<?xf64>) {
  %t = arith.negf %s : f64
  %a:2 = func.call @plus(%n, %x, %t) : (i64, tensor<?xf64>, f64) -> (f64, tensor<?xf64>)
  return %a#0, %a#1 : f64, tensor<?xf64>
}
func.func @f(%n: i64, %x: tensor<?xf64>) -> (f64, tensor<?xf64>) {
  %s = arith.constant 1.0 : f64
  %a:2 = func.call @plus(%n, %x, %s) : (i64, tensor<?xf64>, f64) -> (f64, tensor<?xf64>)
  return %a#0, %a#1 : f64, tensor<?xf64>
}
"""

# The array changes places with the other in every call, and both are read afterwards.
EXCHANGE = """
func.func private @exchange(%n: i64, %x: tensor<3xf64>, %y: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %ends = arith.cmpi sle, %n, %c0 : i64
  %r:2 = scf.if %ends -> (tensor<3xf64>, tensor<3xf64>) {
    scf.yield %x, %y : tensor<3xf64>, tensor<3xf64>
  } else {
    %m = arith.subi %n, %c1 : i64
    %z:2 = func.call @exchange(%m, %y, %x) : (i64, tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
    scf.yield %z#0, %z#1 : tensor<3xf64>, tensor<3xf64>
  }
  return %r#0, %r#1 : tensor<3xf64>, tensor<3xf64>
}
func.func @f(%n: i64, %x: tensor<3xf64>, %y: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) {
  %z:2 = func.call @exchange(%n, %x, %y) : (i64, tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %z#0, %z#1 : tensor<3xf64>, tensor<3xf64>
}
"""

# Every call has an array of its own that it needs after the one inside; the check fails at depth n.
HELD = """
func.func private @held(%n: i64, %x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %z = arith.constant 0 : index
  %size = tensor.dim %x, %z : tensor<?xf64>
  %ends = arith.cmpi eq, %n, %c0 : i64
  %e = tensor.extract %x[%z] : tensor<?xf64>
  %r = scf.if %ends -> (f64) {
    %limit = arith.constant 100.0 : f64
    %is = arith.cmpf olt, %e, %limit : f64
    "soac.assert"(%is) {kind = "IndexOutOfRange", message = "grew too large"} : (i1) -> ()
    scf.yield %e : f64
  } else {
    %m = arith.subi %n, %c1 : i64
    %y = "soac.map"(%size, %x) ({
    ^bb0(%i: index, %v: f64):
      %w = arith.addf %v, %v : f64
      "soac.yield"(%w) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    %a = func.call @held(%m, %y) : (i64, tensor<?xf64>) -> f64
    %k = tensor.extract %y[%z] : tensor<?xf64>
    %s = arith.addf %a, %k : f64
    scf.yield %s : f64
  }
  return %r : f64
}
func.func @f(%n: i64, %x: tensor<?xf64>) -> f64 {
  %r = func.call @held(%n, %x) : (i64, tensor<?xf64>) -> f64
  return %r : f64
}
"""


def compiled(text: str, target: str = "fast") -> Callable[..., tuple[Any, ...]]:
    """The public function of a module."""
    name, options = TARGETS[target]
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        PassPipeline.named(name, **options).run(module)
        code = generate(module)
    image = LoadedImage(code.image)
    invoke = bind(image.address(code.entry), dict(enumerate(code.sites)))

    def run(*arguments: Any) -> tuple[Any, ...]:
        names = [f"argument{k}" for k in range(len(arguments))]
        return tuple(call(code.abi, names, "f", invoke, arguments))

    run.image = image  # The code lives as long as the function.
    return run
