// Scans and the maps before and after them are computed together; the last map reads what all of them need.
// RUN: tapeless-opt --soac-fuse-scans %s | filecheck %s

// CHECK-LABEL: func.func @map_scan_map
// CHECK: %[[P:.*]] = "soac.map"(%{{.*}}, %arg0, %arg1)
// CHECK: tapeless.deferred
// CHECK: %[[S:.*]] = "soac.scan"(%{{.*}}, %[[P]],
// CHECK: tapeless.deferred
// CHECK: "soac.map"(%{{.*}}, %[[S]], %arg0, %arg1)
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[E:.*]]: f64, %[[X:.*]]: f64, %{{.*}}: f64):
// CHECK-NEXT: arith.divf %[[E]], %[[X]]
// CHECK: tapeless.cascade
func.func @map_scan_map(%x: tensor<?xf64>, %g: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %p = "soac.map"(%n, %x, %g) ({
  ^bb0(%i: index, %a: f64, %b: f64):
    %y = arith.mulf %a, %b : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %s = "soac.scan"(%n, %p, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %y = arith.addf %a, %b : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {exclusive = false, reverse = true, operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  %r = "soac.map"(%n, %s, %x) ({
  ^bb0(%i: index, %a: f64, %b: f64):
    %y = arith.divf %a, %b : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// A scan at the end is followed by a map that hands on its prefixes.
// CHECK-LABEL: func.func @map_scan
// CHECK: tapeless.deferred
// CHECK: tapeless.deferred
// CHECK: %[[R:.*]] = "soac.map"
// CHECK: tapeless.cascade
// CHECK: return %[[R]]
func.func @map_scan(%x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %p = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %a: f64):
    %y = arith.mulf %a, %a : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %s = "soac.scan"(%n, %p, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %y = arith.addf %a, %b : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {exclusive = false, reverse = true, operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  return %s : tensor<?xf64>
}

// What else is wanted has to be stored, and so has a scan whose elements are not used one by one.
// CHECK-LABEL: func.func @wanted
// CHECK-NOT: tapeless.deferred
// CHECK: return
func.func @wanted(%x: tensor<?xf64>, %k: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = "soac.scan"(%n, %x, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %y = arith.addf %a, %b : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {exclusive = false, reverse = false, operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  %t = "soac.scan"(%n, %x, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %y = arith.addf %a, %b : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {exclusive = false, reverse = true, operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  %r = "soac.map"(%n, %s) ({
  ^bb0(%i: index, %a: f64):
    %y = arith.mulf %a, %a : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %u = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %a: f64):
    %b = tensor.extract %t[%k] : tensor<?xf64>
    %y = arith.mulf %a, %b : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %s, %r, %u : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// The smallest element before this one is an element of the exclusive scan; sums are rounded, and stay as they are.
// CHECK-LABEL: func.func @before
// CHECK: arith.minimumf
// CHECK: exclusive = true{{.*}}tapeless.deferred
// CHECK: "soac.map"
// CHECK-NEXT: ^bb0(%[[I:.*]]: index, %{{.*}}: f64, %[[B:.*]]: f64):
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[I]], %c0
// CHECK: arith.select %[[FIRST]], %{{.*}}, %[[B]]
// CHECK: tapeless.cascade
func.func @before(%x: tensor<?xf64>, %top: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %m1 = arith.constant -1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = "soac.scan"(%n, %x, %top) ({
  ^bb0(%a: f64, %b: f64):
    %y = arith.minimumf %a, %b : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {exclusive = false, reverse = false, operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  %r = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %a: f64):
    %k = arith.addi %i, %m1 : index
    %is = arith.cmpi ult, %k, %n : index
    %b = scf.if %is -> (f64) {
      %e = tensor.extract %s[%k] : tensor<?xf64>
      scf.yield %e : f64
    } else {
      scf.yield %top : f64
    }
    %y = arith.subf %a, %b : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// CHECK-LABEL: func.func @sum_before
// CHECK: tensor.extract
// CHECK-NOT: tapeless.deferred
func.func @sum_before(%x: tensor<?xf64>, %zero: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %m1 = arith.constant -1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = "soac.scan"(%n, %x, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %y = arith.addf %a, %b : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {exclusive = false, reverse = false, operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  %r = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %a: f64):
    %k = arith.addi %i, %m1 : index
    %is = arith.cmpi ult, %k, %n : index
    %b = scf.if %is -> (f64) {
      %e = tensor.extract %s[%k] : tensor<?xf64>
      scf.yield %e : f64
    } else {
      scf.yield %zero : f64
    }
    %y = arith.subf %a, %b : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
