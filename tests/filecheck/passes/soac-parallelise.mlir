// soac-parallelise makes maps and reductions of loops whose iterations are independent, or only combine numbers.
// RUN: tapeless-opt --soac-parallelise %s | filecheck %s

// A running sum is the reduction of the terms of all iterations; what each reads at its counter is an operand.
// CHECK-LABEL: func.func @sum
// CHECK: %[[TERMS:.*]] = "soac.map"(%[[N:.*]], %arg0)
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[X:.*]]: f64):
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK: "soac.yield"(%[[SQUARE]])
// CHECK: %[[TOTAL:.*]] = "soac.reduce"(%[[N]], %[[TERMS]], %{{.*}})
// CHECK: arith.addf
// CHECK: %[[ALL:.*]] = arith.addf %arg1, %[[TOTAL]]
// CHECK: return %[[ALL]]
func.func @sum(%x: tensor<?xf64>, %start: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %start) -> f64 {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %q = arith.mulf %e, %e fastmath<contract> : f64
    %u = arith.addf %t, %q fastmath<contract> : f64
    scf.yield %u : f64
  }
  return %s : f64
}

// Branches that leave the total alone give the neutral element.
// CHECK-LABEL: func.func @largest_positive
// CHECK: "soac.map"(%{{.*}}, %arg0)
// CHECK: %[[LEAST:.*]] = arith.constant 0xFFF0000000000000 : f64
// CHECK: scf.if
// CHECK: scf.yield %arg3
// CHECK: else
// CHECK: scf.yield %[[LEAST]]
// CHECK: "soac.reduce"
// CHECK: arith.maximumf
// CHECK: arith.maximumf %arg1
func.func @largest_positive(%x: tensor<?xf64>, %start: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %start) -> f64 {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %c = arith.cmpf ogt, %e, %zero : f64
    %u = scf.if %c -> f64 {
      %v = arith.maximumf %t, %e : f64
      scf.yield %v : f64
    } else {
      scf.yield %t : f64
    }
    scf.yield %u : f64
  }
  return %s : f64
}

// An array of which each iteration writes one element: parts before and after those of the loop stay.
// CHECK-LABEL: func.func @differences
// CHECK: %[[W:.*]] = arith.maxsi
// CHECK: %[[LEFT:.*]] = tensor.extract_slice %arg0[0] [%[[W]]] [1]
// CHECK: %[[RIGHT:.*]] = tensor.extract_slice %arg0[1] [%[[W]]] [1]
// CHECK: %[[MADE:.*]] = "soac.map"(%[[W]], %[[LEFT]], %[[RIGHT]])
// CHECK: %[[ALL:.*]] = tensor.insert_slice %[[MADE]] into %arg1[1] [%[[W]]] [1]
// CHECK: return %[[ALL]]
func.func @differences(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%a = %y) -> tensor<?xf64> {
    %j = arith.subi %i, %c1 : index
    %e = tensor.extract %x[%j] : tensor<?xf64>
    %f = tensor.extract %x[%i] : tensor<?xf64>
    %d = arith.subf %f, %e fastmath<contract> : f64
    %b = tensor.insert %d into %a[%i] : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// Along its own axis an iteration has one index; of the others it has all, and may go through them one after the other.
// CHECK-LABEL: func.func @columns
// CHECK: %[[TURNED:.*]] = "soac.transpose"(%arg0)
// CHECK: %[[MADE:.*]] = "soac.map"(%{{.*}}, %[[TURNED]])
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[COLUMN:.*]] = %{{.*}}) -> (tensor<?xf64>)
// CHECK: tensor.extract %[[COLUMN]][
// CHECK: tensor.insert %{{.*}} into %[[COLUMN]][%[[I]]]
// CHECK: %[[BACK:.*]] = "soac.transpose"(%[[MADE]])
// CHECK: return %[[BACK]]
func.func @columns(%m: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %m, %c0 : tensor<?x?xf64>
  %k = tensor.dim %m, %c1 : tensor<?x?xf64>
  %r = scf.for %j = %c0 to %k step %c1 iter_args(%a = %m) -> tensor<?x?xf64> {
    %s = scf.for %i = %c1 to %n step %c1 iter_args(%b = %a) -> tensor<?x?xf64> {
      %h = arith.subi %i, %c1 : index
      %e = tensor.extract %b[%h, %j] : tensor<?x?xf64>
      %f = tensor.insert %e into %b[%i, %j] : tensor<?x?xf64>
      scf.yield %f : tensor<?x?xf64>
    }
    scf.yield %s : tensor<?x?xf64>
  }
  return %r : tensor<?x?xf64>
}

// An array that iterations read at other places, too, is no operand: each of them has to have all of it.
// CHECK-LABEL: func.func @pairs
// CHECK: "soac.map"(%{{[^,)]*}}) (
// CHECK: tensor.extract %arg0
// CHECK: "soac.map"(%{{[^,)]*}}, %arg0)
func.func @pairs(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero) -> f64 {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %u = scf.for %j = %c0 to %n step %c1 iter_args(%v = %t) -> f64 {
      %f = tensor.extract %x[%j] : tensor<?xf64>
      %p = arith.mulf %e, %f fastmath<contract> : f64
      %w = arith.addf %v, %p fastmath<contract> : f64
      scf.yield %w : f64
    }
    scf.yield %u : f64
  }
  return %s : f64
}

// What an iteration reads of another one orders them.
// CHECK-LABEL: func.func @recurrence
// CHECK: scf.for
// CHECK-NOT: soac.map
func.func @recurrence(%x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%a = %x) -> tensor<?xf64> {
    %j = arith.subi %i, %c1 : index
    %e = tensor.extract %a[%j] : tensor<?xf64>
    %b = tensor.insert %e into %a[%i] : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// A total that is stored, or multiplied as well, is not a running sum alone.
// CHECK-LABEL: func.func @sums_so_far
// CHECK: scf.for
// CHECK-NOT: soac.map
func.func @sums_so_far(%x: tensor<?xf64>, %zero: f64) -> (f64, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero, %a = %x) -> (f64, tensor<?xf64>) {
    %e = tensor.extract %a[%i] : tensor<?xf64>
    %u = arith.addf %t, %e fastmath<contract> : f64
    %b = tensor.insert %u into %a[%i] : tensor<?xf64>
    scf.yield %u, %b : f64, tensor<?xf64>
  }
  return %r#0, %r#1 : f64, tensor<?xf64>
}

// The derivative of a maximum is that of its first operand where both are equal: with the total as the second operand
// it would be that of the last index.
// CHECK-LABEL: func.func @last_maximum
// CHECK: scf.for
// CHECK-NOT: soac.map
func.func @last_maximum(%x: tensor<?xf64>, %start: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %start) -> f64 {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %u = arith.maximumf %e, %t : f64
    scf.yield %u : f64
  }
  return %s : f64
}

// A part that an iteration may not come to is not made before it, unless its index is known to be there.
// CHECK-LABEL: func.func @guarded
// CHECK: scf.for
// CHECK-NOT: soac.map
func.func @guarded(%y: tensor<?xf64>, %n: index, %c: i1) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> tensor<?xf64> {
    %u = scf.if %c -> tensor<?xf64> {
      %b = tensor.insert %zero into %a[%i] : tensor<?xf64>
      scf.yield %b : tensor<?xf64>
    } else {
      scf.yield %a : tensor<?xf64>
    }
    scf.yield %u : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// An array that becomes another one is no slab.
// CHECK-LABEL: func.func @other_array
// CHECK: scf.for
// CHECK-NOT: soac.map
func.func @other_array(%y: tensor<?xf64>, %z: tensor<?xf64>, %c: i1) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %y, %c0 : tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> tensor<?xf64> {
    %b = tensor.insert %zero into %a[%i] : tensor<?xf64>
    %u = scf.if %c -> tensor<?xf64> {
      scf.yield %b : tensor<?xf64>
    } else {
      scf.yield %z : tensor<?xf64>
    }
    scf.yield %u : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// Without checks a program may ask for what is not there.
// CHECK-LABEL: func.func @beyond
// CHECK: "soac.map"(%{{[^,)]*}}) (
// CHECK: tensor.extract %arg0
func.func @beyond(%x: tensor<10xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %zero = arith.constant 0.0 : f64
  %s = scf.for %i = %c0 to %c20 step %c1 iter_args(%t = %zero) -> f64 {
    %e = tensor.extract %x[%i] : tensor<10xf64>
    %u = arith.addf %t, %e fastmath<contract> : f64
    scf.yield %u : f64
  }
  return %s : f64
}

// Sums of procedures, which have no flags, are taken in their order.
// CHECK-LABEL: func.func @in_order
// CHECK: scf.for
// CHECK-NOT: soac.map
func.func @in_order(%x: tensor<?xf64>, %start: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %start) -> f64 {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %u = arith.addf %t, %e : f64
    scf.yield %u : f64
  }
  return %s : f64
}

// Hints are about loops; steps leave elements out; a few iterations are written one after the other.
// CHECK-LABEL: func.func @stay
// CHECK-COUNT-3: scf.for
// CHECK-NOT: soac.map
func.func @stay(%x: tensor<?xf64>, %zero: f64) -> (f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero) -> f64 {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %u = arith.addf %t, %e fastmath<contract> : f64
    scf.yield %u : f64
  } {ad.stripmine = 4 : i64}
  %s = scf.for %i = %c0 to %n step %c2 iter_args(%t = %zero) -> f64 {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %u = arith.addf %t, %e fastmath<contract> : f64
    scf.yield %u : f64
  }
  %v = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %zero) -> f64 {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %u = arith.addf %t, %e fastmath<contract> : f64
    scf.yield %u : f64
  }
  return %r, %s, %v : f64, f64, f64
}

// The size of an array that was made before is no negative number: the loop runs as often.
// CHECK-LABEL: func.func @as_long_as_an_array
// CHECK-NOT: arith.maxsi
// CHECK: "soac.map"(%arg0, %{{.*}}) ({
// CHECK-NOT: arith.maxsi
// CHECK: return
func.func @as_long_as_an_array(%n: index, %a: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = tensor.splat %a[%n] : tensor<?xf64>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%t = %start) -> tensor<?xf64> {
    %e = tensor.extract %t[%i] : tensor<?xf64>
    %q = arith.mulf %e, %e fastmath<contract> : f64
    %u = tensor.insert %q into %t[%i] : tensor<?xf64>
    scf.yield %u : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}

// Of an array that is made later, or in a branch, nothing is known here.
// CHECK-LABEL: func.func @arrays_elsewhere
// CHECK: arith.maxsi %arg0,
// CHECK: "soac.reduce"
func.func @arrays_elsewhere(%n: index, %a: f64, %c: i1) -> (f64, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %b = scf.if %c -> f64 {
    %x = tensor.splat %a[%n] : tensor<?xf64>
    %e = tensor.extract %x[%c0] : tensor<?xf64>
    scf.yield %e : f64
  } else {
    scf.yield %a : f64
  }
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero) -> f64 {
    %j = arith.index_cast %i : index to i64
    %f = arith.sitofp %j : i64 to f64
    %q = arith.mulf %f, %b fastmath<contract> : f64
    %u = arith.addf %t, %q fastmath<contract> : f64
    scf.yield %u : f64
  }
  %later = tensor.splat %s[%n] : tensor<?xf64>
  return %s, %later : f64, tensor<?xf64>
}

// A loop that adds to all elements of an array comes to stand in the loop over elements. What it computes for them is
// kept, unless it is next to nothing, and so are its other sums.
// CHECK-LABEL: func.func @row_sums
// CHECK: %[[EACH:.*]]:2 = "soac.map"(%[[N:.*]], %{{.*}}) ({
// CHECK: %[[W:.*]] = math.exp
// CHECK: "soac.yield"(%[[W]], %[[W]])
// CHECK: "soac.reduce"(%[[N]], %[[EACH]]#0,
// CHECK: "soac.map"(%{{.*}}, %{{.*}}) ({
// CHECK: "soac.map"(%[[N]], %[[EACH]]#1, %{{.*}}) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[A:.*]]: f64, %[[B:.*]]: f64):
// CHECK-NEXT: arith.mulf %[[A]], %[[B]]
// CHECK: "soac.reduce"(%[[N]],
// CHECK-NOT: scf.for
func.func @row_sums(%v: tensor<?x?xf64>, %x: tensor<?xf64>) -> (f64, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %v, %c0 : tensor<?x?xf64>
  %k = tensor.dim %v, %c1 : tensor<?x?xf64>
  %zeros = tensor.splat %zero[%k] : tensor<?xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero, %y = %zeros) -> (f64, tensor<?xf64>) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %w = math.exp %e fastmath<contract> : f64
    %u = arith.addf %t, %w fastmath<contract> : f64
    %z = scf.for %j = %c0 to %k step %c1 iter_args(%s = %y) -> tensor<?xf64> {
      %old = tensor.extract %s[%j] : tensor<?xf64>
      %a = tensor.extract %v[%i, %j] : tensor<?x?xf64>
      %p = arith.mulf %w, %a fastmath<contract> : f64
      %q = arith.addf %old, %p fastmath<contract> : f64
      %made = tensor.insert %q into %s[%j] : tensor<?xf64>
      scf.yield %made : tensor<?xf64>
    }
    scf.yield %u, %z : f64, tensor<?xf64>
  }
  return %r#0, %r#1 : f64, tensor<?xf64>
}

// An element that only inner loops touch is a part of its iteration if one of them surely runs when the outer one does:
// its length is a factor of the outer one's. The part of an iteration is made before it.
// CHECK-LABEL: func.func @in_inner_loops
// CHECK: "soac.map"(%{{.*}}, %{{.*}}) ({
// CHECK: "soac.map"
// CHECK: "soac.reduce"
// CHECK: "soac.map"
// CHECK: "soac.reduce"
// CHECK-NOT: scf.for
// CHECK: return
func.func @in_inner_loops(%b: tensor<?xf64>, %x: tensor<?xf64>, %h: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = tensor.dim %x, %c0 : tensor<?xf64>
  %n = tensor.dim %h, %c0 : tensor<?xf64>
  %n4 = arith.muli %n, %c4 : index
  %r = scf.for %k = %c0 to %n4 step %c1 iter_args(%g = %b) -> tensor<?xf64> {
    %f = scf.for %i = %c0 to %m step %c1 iter_args(%s = %g) -> tensor<?xf64> {
      %old = tensor.extract %s[%k] : tensor<?xf64>
      %a = tensor.extract %x[%i] : tensor<?xf64>
      %q = arith.addf %old, %a fastmath<contract> : f64
      %made = tensor.insert %q into %s[%k] : tensor<?xf64>
      scf.yield %made : tensor<?xf64>
    }
    %e = scf.for %j = %c0 to %n step %c1 iter_args(%s = %f) -> tensor<?xf64> {
      %old = tensor.extract %s[%k] : tensor<?xf64>
      %a = tensor.extract %h[%j] : tensor<?xf64>
      %q = arith.addf %old, %a fastmath<contract> : f64
      %made = tensor.insert %q into %s[%k] : tensor<?xf64>
      scf.yield %made : tensor<?xf64>
    }
    scf.yield %e : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// Where none surely does, the array may be shorter than the loop.
// CHECK-LABEL: func.func @may_not_run
// CHECK: scf.for
// CHECK: return
func.func @may_not_run(%b: tensor<?xf64>, %x: tensor<?xf64>, %h: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?xf64>
  %n = tensor.dim %h, %c0 : tensor<?xf64>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%g = %b) -> tensor<?xf64> {
    %f = scf.for %i = %c0 to %m step %c1 iter_args(%s = %g) -> tensor<?xf64> {
      %old = tensor.extract %s[%k] : tensor<?xf64>
      %a = tensor.extract %x[%i] : tensor<?xf64>
      %q = arith.mulf %old, %a fastmath<contract> : f64
      %p = math.exp %q fastmath<contract> : f64
      %made = tensor.insert %p into %s[%k] : tensor<?xf64>
      scf.yield %made : tensor<?xf64>
    }
    scf.yield %f : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// Additions at several distances are written one after the other, those behind first.
// CHECK-LABEL: func.func @neighbours
// CHECK-NOT: scf.for
// CHECK: %[[Y:.*]] = "soac.map"(%{{.*}}, %arg0)
// CHECK: %[[NEXT:.*]] = tensor.extract_slice %arg1[1]
// CHECK: arith.addf
// CHECK: %[[MADE:.*]] = tensor.insert_slice %{{.*}} into %arg1[1]
// CHECK: tensor.extract_slice %[[MADE]][0]
// CHECK: arith.subf
// CHECK: tensor.insert_slice %{{.*}} into %[[MADE]][0]
func.func @neighbours(%x: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %b) -> tensor<?xf64> {
    %v = tensor.extract %x[%i] : tensor<?xf64>
    %y = math.exp %v fastmath<contract> : f64
    %j = arith.addi %i, %c1 : index
    %own = tensor.extract %a[%i] : tensor<?xf64>
    %less = arith.subf %own, %y fastmath<contract> : f64
    %next = tensor.extract %a[%j] : tensor<?xf64>
    %first = tensor.insert %less into %a[%i] : tensor<?xf64>
    %more = arith.addf %next, %y fastmath<contract> : f64
    %second = tensor.insert %more into %first[%j] : tensor<?xf64>
    scf.yield %second : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// What an iteration reads in its own column, which others do not write in, is as it was before the loop: rows may be
// the same or others.
// CHECK-LABEL: func.func @rows_of_rows
// CHECK: scf.for %[[Q:.*]] = {{.*}} iter_args(%[[M:.*]] = %arg0)
// CHECK: %[[P:.*]] = tensor.extract %arg1[%[[Q]]]
// CHECK: %[[ROW:.*]] = "soac.map"
// CHECK: tensor.extract %[[M]][%[[P]], %{{.*}}]
// CHECK: soac.yield
// CHECK: tensor.insert_slice %[[ROW]] into %[[M]][%[[Q]], 0] [1, 64] [1, 1]
func.func @rows_of_rows(%m: tensor<?x64xf64>, %from: tensor<?xindex>) -> tensor<?x64xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = tensor.dim %from, %c0 : tensor<?xindex>
  %all = scf.for %q = %c0 to %n step %c1 iter_args(%a = %m) -> tensor<?x64xf64> {
    %p = tensor.extract %from[%q] : tensor<?xindex>
    %r = scf.for %k = %c0 to %c64 step %c1 iter_args(%t = %a) -> tensor<?x64xf64> {
      %x = tensor.extract %t[%p, %k] : tensor<?x64xf64>
      %y = arith.mulf %x, %x : f64
      %u = tensor.insert %y into %t[%q, %k] : tensor<?x64xf64>
      scf.yield %u : tensor<?x64xf64>
    }
    scf.yield %r : tensor<?x64xf64>
  }
  return %all : tensor<?x64xf64>
}

// What it reads after its write may be what it wrote, and what it reads in another column another iteration wrote.
// CHECK-LABEL: func.func @read_after
// CHECK-NOT: tensor.extract %arg0
// CHECK-LABEL: func.func @read_beside
// CHECK: scf.for
func.func @read_after(%m: tensor<?x64xf64>, %p: index, %q: index) -> tensor<?x64xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %k = %c0 to %c64 step %c1 iter_args(%t = %m) -> tensor<?x64xf64> {
    %s = tensor.insert %zero into %t[%q, %k] : tensor<?x64xf64>
    %x = tensor.extract %s[%p, %k] : tensor<?x64xf64>
    %y = arith.mulf %x, %x : f64
    %u = tensor.insert %y into %s[%q, %k] : tensor<?x64xf64>
    scf.yield %u : tensor<?x64xf64>
  }
  return %r : tensor<?x64xf64>
}

func.func @read_beside(%m: tensor<?x64xf64>, %p: index, %q: index) -> tensor<?x64xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %r = scf.for %k = %c0 to %c63 step %c1 iter_args(%t = %m) -> tensor<?x64xf64> {
    %k1 = arith.addi %k, %c1 : index
    %x = tensor.extract %t[%p, %k1] : tensor<?x64xf64>
    %y = arith.mulf %x, %x : f64
    %u = tensor.insert %y into %t[%q, %k] : tensor<?x64xf64>
    scf.yield %u : tensor<?x64xf64>
  }
  return %r : tensor<?x64xf64>
}
