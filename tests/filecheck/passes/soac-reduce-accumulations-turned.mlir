// soac-reduce-accumulations gathers what iterations add at places that go around an axis, with `turns`.
// RUN: tapeless-opt --soac-reduce-accumulations="turns=true" %s | filecheck %s
// RUN: tapeless-opt --soac-reduce-accumulations %s | filecheck %s --check-prefix=AS-IS

// Element p has the term of iteration p - 1, and the first one that of the last.
// AS-IS-LABEL: func.func @next
// AS-IS:       soac.update
// CHECK-LABEL: func.func @next
// CHECK-NOT:   soac.update
// CHECK:       "soac.map"
// CHECK-NEXT:  ^bb0(%[[P:.*]]: index):
// CHECK:       %[[BEFORE:.*]] = arith.subi %[[P]], %c1
// CHECK:       arith.cmpi slt, %[[BEFORE]], %c0
// CHECK:       arith.addi %[[BEFORE]], %[[N:.*]] :
// CHECK:       tensor.extract
// CHECK-NOT:   soac.update
func.func @next(%x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %zeros = tensor.splat %zero[%n] : tensor<?xf64>
  %r = "soac.with_acc"(%zeros) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %all = "soac.map"(%n, %x, %acc) ({
    ^bb0(%i: index, %e: f64, %own: !soac.acc<tensor<?xf64>>):
      %moved = arith.addi %i, %c1 : index
      %place = arith.remsi %moved, %n : index
      %u = "soac.update"(%own, %place, %e) {soac.in_bounds} : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%u) : (!soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%all) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// A remainder by another number than that of the iterations comes to some places twice.
// CHECK-LABEL: func.func @folded
// CHECK:       soac.update
func.func @folded(%x: tensor<?xf64>, %m: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %zeros = tensor.splat %zero[%n] : tensor<?xf64>
  %r = "soac.with_acc"(%zeros) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %all = "soac.map"(%n, %x, %acc) ({
    ^bb0(%i: index, %e: f64, %own: !soac.acc<tensor<?xf64>>):
      %moved = arith.addi %i, %c1 : index
      %place = arith.remsi %moved, %m : index
      %u = "soac.update"(%own, %place, %e) {soac.in_bounds} : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%u) : (!soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%all) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
