"""Loops IR that exercises each ability of the vectoriser, as text."""

from __future__ import annotations

PRELUDE = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %inf = arith.constant 0x7FF0000000000000 : f64
  %minus_inf = arith.constant 0xFFF0000000000000 : f64
"""
SIZES = """
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %d = memref.dim %x, %c1 : memref<?x?xf64>
  %m = memref.dim %y, %c0 : memref<?x?xf64>
"""
SQUARED_DISTANCE = """
      %s = scf.for %l = %c0 to %d step %c1 iter_args(%a = %zero) -> f64 {
        %xv = memref.load %x[%i, %l] : memref<?x?xf64>
        %yv = memref.load %y[%j, %l] : memref<?x?xf64>
        %t = arith.subf %xv, %yv : f64
        %p = arith.mulf %t, %t : f64
        %q = arith.addf %a, %p : f64
        scf.yield %q : f64
      }
"""

MATMUL = f"""
func.func @matmul(%x: memref<?x?xf64>, %y: memref<?x?xf64>, %out: memref<?x?xf64>) attributes {{tapeless.abi = ABI}} {{
{PRELUDE}{SIZES}
  %w = memref.dim %y, %c1 : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {{
    scf.for %j = %c0 to %w step %c1 {{
      %s = scf.for %k = %c0 to %m step %c1 iter_args(%a = %zero) -> f64 {{
        %xv = memref.load %x[%i, %k] : memref<?x?xf64>
        %yv = memref.load %y[%k, %j] : memref<?x?xf64>
        %p = arith.mulf %xv, %yv : f64
        %q = arith.addf %a, %p : f64
        scf.yield %q : f64
      }}
      memref.store %s, %out[%i, %j] : memref<?x?xf64>
    }} {{tapeless.parallel}}
  }} {{tapeless.parallel}}
  return
}}
"""

NEAREST_SUM = f"""
func.func @nearest_sum(%x: memref<?x?xf64>, %y: memref<?x?xf64>) -> f64 attributes {{tapeless.abi = ABI}} {{
{PRELUDE}{SIZES}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%total = %one) -> f64 {{
    %b = scf.for %j = %c0 to %m step %c1 iter_args(%best = %inf) -> f64 {{
{SQUARED_DISTANCE}
      %least = arith.minimumf %best, %s : f64
      scf.yield %least : f64
    }}
    %next = arith.addf %total, %b fastmath<reassoc> : f64
    scf.yield %next : f64
  }}
  return %r : f64
}}
"""

PRIVATE_BUFFERS = f"""
func.func @private(%x: memref<?x?xf64>, %y: memref<?x?xf64>, %out: memref<?xf64>) attributes {{tapeless.abi = ABI}} {{
{PRELUDE}{SIZES}
  %row = memref.alloc(%m) : memref<?xf64>
  %pair = memref.alloca() : memref<2xf64>
  scf.for %i = %c0 to %n step %c1 {{
    scf.for %j = %c0 to %m step %c1 {{
{SQUARED_DISTANCE}
      memref.store %s, %row[%j] : memref<?xf64>
    }} {{tapeless.parallel}}
    %largest = scf.for %j = %c0 to %m step %c1 iter_args(%a = %minus_inf) -> f64 {{
      %v = memref.load %row[%j] : memref<?xf64>
      %q = arith.maximumf %a, %v : f64
      scf.yield %q : f64
    }}
    %big = arith.cmpf ogt, %largest, %one : f64
    %w = scf.if %big -> f64 {{
      %h = arith.mulf %largest, %largest : f64
      scf.yield %h : f64
    }} else {{
      %k = arith.index_cast %i : index to i64
      %f = arith.sitofp %k : i64 to f64
      scf.yield %f : f64
    }}
    memref.store %w, %pair[%c1] : memref<2xf64>
    %again = memref.load %pair[%c1] : memref<2xf64>
    memref.store %again, %out[%i] : memref<?xf64>
  }} {{tapeless.parallel}}
  memref.dealloc %row : memref<?xf64>
  return
}}
"""

# out[j, l] += x[i, l] - y[j, l] over all i, and rows[i, l] = sum over j of the squares.
SUMS_AND_ROWS = f"""
func.func @sums(%x: memref<?x?xf64>, %y: memref<?x?xf64>, %out: memref<?x?xf64>, %rows: memref<?x?xf64>)
    attributes {{tapeless.abi = ABI}} {{
{PRELUDE}{SIZES}
  scf.for %j = %c0 to %m step %c1 {{
    scf.for %l = %c0 to %d step %c1 {{
      memref.store %zero, %out[%j, %l] : memref<?x?xf64>
    }}
  }}
  scf.for %i = %c0 to %n step %c1 {{
    scf.for %l = %c0 to %d step %c1 {{
      memref.store %zero, %rows[%i, %l] : memref<?x?xf64>
    }}
    scf.for %j = %c0 to %m step %c1 {{
      scf.for %l = %c0 to %d step %c1 {{
        %xv = memref.load %x[%i, %l] : memref<?x?xf64>
        %yv = memref.load %y[%j, %l] : memref<?x?xf64>
        %t = arith.subf %xv, %yv : f64
        %old = memref.load %out[%j, %l] : memref<?x?xf64>
        %new = arith.addf %old, %t {{tapeless.accumulate}} : f64
        memref.store %new, %out[%j, %l] : memref<?x?xf64>
        %p = arith.mulf %t, %t : f64
        %before = memref.load %rows[%i, %l] : memref<?x?xf64>
        %after = arith.addf %before, %p {{tapeless.accumulate}} : f64
        memref.store %after, %rows[%i, %l] : memref<?x?xf64>
      }}
    }}
  }} {{tapeless.accumulating}}
  return
}}
"""

IN_PLACE = f"""
func.func @in_place(%x: memref<?x?xf64>, %y: memref<?x?xf64>, %out: memref<?xf64>) attributes {{tapeless.abi = ABI}} {{
{PRELUDE}{SIZES}
  scf.for %i = %c0 to %n step %c1 {{
    memref.store %one, %out[%i] : memref<?xf64>
  }}
  scf.for %i = %c0 to %n step %c1 {{
    %s = scf.for %j = %c0 to %m step %c1 iter_args(%a = %zero) -> f64 {{
      %yv = memref.load %y[%j, %c0] : memref<?x?xf64>
      %q = arith.addf %a, %yv : f64
      scf.yield %q : f64
    }}
    %old = memref.load %out[%i] : memref<?xf64>
    %new = arith.addf %old, %s : f64
    memref.store %new, %out[%i] : memref<?xf64>
  }} {{tapeless.parallel}}
  return
}}
"""
