// The first place of the smallest element of a row takes two loops: what it is, then where it is, or what is no number.
// RUN: tapeless-opt --loops %s | filecheck %s

// CHECK-LABEL: func.func private @first_smallest_part0
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[BEST:.*]] = scf.for %{{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (f64)
// CHECK: %[[X:.*]] = memref.load %[[ROWS:.*]][%[[ROW]], %{{.*}}]
// CHECK: arith.minimumf %[[A]], %[[X]] fastmath<reassoc,nsz,contract>
// CHECK: %[[PLACE:.*]] = scf.for %[[I:.*]] = %{{.*}} iter_args(%[[P:.*]] = %[[NOWHERE:.*]]) -> (i64)
// CHECK: %[[Y:.*]] = memref.load %[[ROWS]][%[[ROW]], %[[I]]]
// CHECK: %[[EQUAL:.*]] = arith.cmpf oeq, %[[Y]], %[[BEST]]
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[Y]], %[[Y]]
// CHECK: %[[HERE:.*]] = arith.ori %[[EQUAL]], %[[NAN]]
// CHECK: %[[CAST:.*]] = arith.index_cast %[[I]]
// CHECK: %[[FOUND:.*]] = arith.select %[[HERE]], %[[CAST]], %[[NOWHERE]]
// CHECK: arith.minsi %[[P]], %[[FOUND]]
// CHECK: memref.store %[[PLACE]]
func.func @first_smallest(%x: tensor<?x?xf64>) -> tensor<?xi64> {
  %inf = arith.constant 0x7FF0000000000000 : f64
  %nowhere = arith.constant 9223372036854775807 : i64
  %false = arith.constant false
  %true = arith.constant true
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %places = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %r:2 = "soac.fused"(%m, %row, %inf, %nowhere) ({
    ^bb0(%j: index, %e: f64):
      %k = arith.index_cast %j : index to i64
      "soac.yield"(%e, %k) : (f64, i64) -> ()
    }, {
    ^bb0(%v: f64, %p: i64, %w: f64, %q: i64):
      %less = arith.cmpf olt, %w, %v : f64
      %equal = arith.cmpf oeq, %w, %v : f64
      %earlier = arith.cmpi slt, %q, %p : i64
      %first = arith.andi %equal, %earlier : i1
      %better = arith.ori %less, %first : i1
      %new_nan = math.isnan %w : f64
      %old_nan = math.isnan %v : f64
      %among_nans = arith.select %old_nan, %earlier, %true : i1
      %among_numbers = arith.select %old_nan, %false, %better : i1
      %is_new = arith.select %new_nan, %among_nans, %among_numbers : i1
      %value = arith.select %is_new, %w, %v : f64
      %place = arith.select %is_new, %q, %p : i64
      "soac.yield"(%value, %place) : (f64, i64) -> ()
    }, {
    }) {operandSegmentSizes = array<i32: 1, 1, 2, 0>} : (index, tensor<?xf64>, f64, i64) -> (f64, i64)
    "soac.yield"(%r#1) : (i64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xi64>
  return %places : tensor<?xi64>
}

// Where equal elements are not told apart by their places, any of them may be found: one loop does as it is told.
// CHECK-LABEL: func.func private @any_smallest_part0
// CHECK-NOT: minimumf
// CHECK: scf.for {{.*}} -> (f64, i64)
// CHECK-NOT: minsi %{{.*}} : i64
// CHECK: return
func.func @any_smallest(%x: tensor<?x?xf64>) -> tensor<?xi64> {
  %inf = arith.constant 0x7FF0000000000000 : f64
  %nowhere = arith.constant 9223372036854775807 : i64
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %places = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %r:2 = "soac.fused"(%m, %row, %inf, %nowhere) ({
    ^bb0(%j: index, %e: f64):
      %k = arith.index_cast %j : index to i64
      "soac.yield"(%e, %k) : (f64, i64) -> ()
    }, {
    ^bb0(%v: f64, %p: i64, %w: f64, %q: i64):
      %less = arith.cmpf olt, %w, %v : f64
      %value = arith.select %less, %w, %v : f64
      %place = arith.select %less, %q, %p : i64
      "soac.yield"(%value, %place) : (f64, i64) -> ()
    }, {
    }) {operandSegmentSizes = array<i32: 1, 1, 2, 0>} : (index, tensor<?xf64>, f64, i64) -> (f64, i64)
    "soac.yield"(%r#1) : (i64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xi64>
  return %places : tensor<?xi64>
}
