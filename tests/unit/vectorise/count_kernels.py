"""Loops that count over points into elements all points share, as text."""

from __future__ import annotations

from .sum_kernels import PROJECTION

# Per row i the sum over p of 1 + p + (1 where x[p] . y[i] > 0): integers shared by the lanes, counting up, and varying.
COUNTS = f"""
func.func @counts(%x: memref<?x?xf64>, %y: memref<?x?xf64>, %out: memref<?xi64>) attributes {{tapeless.abi = ABI}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %no = arith.constant 0 : i64
  %yes = arith.constant 1 : i64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %d = memref.dim %x, %c1 : memref<?x?xf64>
  %m = memref.dim %y, %c0 : memref<?x?xf64>
  scf.for %i = %c0 to %m step %c1 {{
    memref.store %no, %out[%i] : memref<?xi64>
  }}
  scf.for %p = %c0 to %n step %c1 {{
    scf.for %i = %c0 to %m step %c1 {{
{PROJECTION}
      %above = arith.cmpf ogt, %w, %zero : f64
      %flag = arith.select %above, %yes, %no : i64
      %number = arith.index_cast %p : index to i64
      %a = memref.load %out[%i] : memref<?xi64>
      %b = arith.addi %a, %yes {{tapeless.accumulate}} : i64
      memref.store %b, %out[%i] : memref<?xi64>
      %c = memref.load %out[%i] : memref<?xi64>
      %e = arith.addi %c, %flag {{tapeless.accumulate}} : i64
      memref.store %e, %out[%i] : memref<?xi64>
      %f = memref.load %out[%i] : memref<?xi64>
      %g = arith.addi %f, %number {{tapeless.accumulate}} : i64
      memref.store %g, %out[%i] : memref<?xi64>
    }} {{tapeless.accumulating}}
  }} {{tapeless.accumulating}}
  return
}}
"""
