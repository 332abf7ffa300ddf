// soac-distribute-nests gives loops in a triangle the length of the longest, in a variant for large ones.
// RUN: tapeless-opt --soac-distribute-nests %s | filecheck %s

// CHECK-LABEL: func.func @pairs
// CHECK:       arith.cmpi sge, %[[N:.*]], %c64
// CHECK:       scf.if
// CHECK:       "soac.map"(%[[N]],
// CHECK-NEXT:  ^bb0(%[[I:.*]]: index, %{{.*}}: f64):
// CHECK-NEXT:  "soac.fused"(%[[N]],
// CHECK-NEXT:  ^bb0(%[[J:.*]]: index, %{{.*}}: f64):
// CHECK:       %[[INSIDE:.*]] = arith.cmpi slt, %[[J]], %[[I]]
// CHECK:       math.exp
// CHECK:       arith.select %[[INSIDE]]
// CHECK:       else
// CHECK:       "soac.map"(%[[N]],
// CHECK-NEXT:  ^bb0(%[[SHORT:.*]]: index, %{{.*}}: f64):
// CHECK-NEXT:  "soac.fused"(%[[SHORT]],
// CHECK-NOT:   arith.select
// CHECK:       {tapeless.variants}
func.func @pairs(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r = "soac.fused"(%n, %zero) ({
  ^bb0(%i: index):
    %s = "soac.fused"(%i, %zero) ({
    ^bb0(%j: index):
      %a = tensor.extract %x[%i] : tensor<?xf64>
      %b = tensor.extract %x[%j] : tensor<?xf64>
      %d = arith.subf %a, %b : f64
      %e = math.exp %d : f64
      "soac.yield"(%e) : (f64) -> ()
    }, {
    ^bb0(%a: f64, %b: f64):
      %t = arith.addf %a, %b : f64
      "soac.yield"(%t) : (f64) -> ()
    }, {}) {operandSegmentSizes = array<i32: 1, 0, 1, 0>} : (index, f64) -> f64
    "soac.yield"(%s) : (f64) -> ()
  }, {
  ^bb0(%a: f64, %b: f64):
    %t = arith.addf %a, %b : f64
    "soac.yield"(%t) : (f64) -> ()
  }, {}) {operandSegmentSizes = array<i32: 1, 0, 1, 0>} : (index, f64) -> f64
  return %r : f64
}

// What iterations read at other places than their own numbers need not be there outside of the triangle.
// CHECK-LABEL: func.func @neighbours
// CHECK-NOT:   scf.if
// CHECK:       return
func.func @neighbours(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r = "soac.fused"(%n, %zero) ({
  ^bb0(%i: index):
    %s = "soac.fused"(%i, %zero) ({
    ^bb0(%j: index):
      %k = arith.addi %j, %c1 : index
      %b = tensor.extract %x[%k] : tensor<?xf64>
      "soac.yield"(%b) : (f64) -> ()
    }, {
    ^bb0(%a: f64, %b: f64):
      %t = arith.addf %a, %b : f64
      "soac.yield"(%t) : (f64) -> ()
    }, {}) {operandSegmentSizes = array<i32: 1, 0, 1, 0>} : (index, f64) -> f64
    "soac.yield"(%s) : (f64) -> ()
  }, {
  ^bb0(%a: f64, %b: f64):
    %t = arith.addf %a, %b : f64
    "soac.yield"(%t) : (f64) -> ()
  }, {}) {operandSegmentSizes = array<i32: 1, 0, 1, 0>} : (index, f64) -> f64
  return %r : f64
}
