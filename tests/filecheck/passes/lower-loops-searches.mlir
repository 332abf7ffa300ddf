// The place of a minimum is searched for in the first block that has this minimum.
// RUN: tapeless-opt --loops %s | filecheck %s

// CHECK-LABEL: func.func @first_smallest
// CHECK: %[[TABLE:.*]] = memref.alloca() : memref<64xf64>
// CHECK: call @first_smallest_part0
// CHECK: %[[MIN:.*]] = scf.for
// CHECK: %[[PLACE:.*]] = scf.for %[[B:.*]] = {{.*}} iter_args(%[[FOUND:.*]] = %[[NONE:.*]]) -> (index)
// CHECK: %[[BLOCK:.*]] = memref.load %[[TABLE]][%[[B]]]
// CHECK: %[[HOLDS:.*]] = arith.cmpf ueq, %[[BLOCK]], %[[MIN]]
// CHECK: %[[OPEN:.*]] = arith.cmpi eq, %[[FOUND]], %[[NONE]]
// CHECK: %[[WANTED:.*]] = arith.andi %[[HOLDS]], %[[OPEN]]
// CHECK: scf.if %[[WANTED]]
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[NONE]]) -> (index)
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[FOUND]]
// CHECK: return %[[MIN]], %[[PLACE]]
func.func @first_smallest(%xs: tensor<?xf64>) -> (f64, index) {
  %c0 = arith.constant 0 : index
  %inf = arith.constant 0x7FF0000000000000 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %m = "soac.reduce"(%n, %xs, %inf) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.minimumf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  %first = "soac.fused"(%n, %xs, %n) ({
  ^bb0(%i: index, %x: f64):
    %wins = arith.cmpf ueq, %x, %m : f64
    %place = arith.select %wins, %i, %n : index
    "soac.yield"(%place) : (index) -> ()
  }, {
  ^bb0(%a: index, %b: index):
    %c = arith.minsi %a, %b : index
    "soac.yield"(%c) : (index) -> ()
  }, {
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?xf64>, index) -> index
  return %m, %first : f64, index
}

// The place of another array's minimum may be anywhere: every element is looked at.
// CHECK-LABEL: func.func @first_like_another
// CHECK: call @first_like_another_part0
// CHECK: call @first_like_another_part1
func.func @first_like_another(%xs: tensor<?xf64>, %ys: tensor<?xf64>) -> (f64, index) {
  %c0 = arith.constant 0 : index
  %inf = arith.constant 0x7FF0000000000000 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %m = "soac.reduce"(%n, %xs, %inf) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.minimumf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  %first = "soac.fused"(%n, %ys, %n) ({
  ^bb0(%i: index, %x: f64):
    %wins = arith.cmpf ueq, %x, %m : f64
    %place = arith.select %wins, %i, %n : index
    "soac.yield"(%place) : (index) -> ()
  }, {
  ^bb0(%a: index, %b: index):
    %c = arith.minsi %a, %b : index
    "soac.yield"(%c) : (index) -> ()
  }, {
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?xf64>, index) -> index
  return %m, %first : f64, index
}
