// Run-time checks call the runtime with the number of their site.
// RUN: tapeless-opt --loops %s | filecheck %s

// CHECK: tapeless.sites = "[{\22kind\22: \22IndexOutOfRange\22, \22message\22: \22index {} of {}\22
// CHECK-SAME: \22types\22: [\22i64\22, \22i64\22], \22ends\22: true}
// CHECK-SAME: \22ShapeMismatch\22
// CHECK-LABEL: func.func @checked
// CHECK: %[[INSIDE:.*]] = arith.cmpi slt
// CHECK: %[[FAILS:.*]] = arith.xori %[[INSIDE]]
// CHECK: scf.if %[[FAILS]]
// CHECK: %[[SLOTS:.*]] = memref.alloca() : memref<2xi64>
// CHECK-COUNT-2: memref.store %{{.*}}, %[[SLOTS]]
// CHECK: call @tl_fail(
// CHECK: call @tl_fail(
// CHECK-NOT: call @tl_fail(
func.func @checked(%x: tensor<?xf64>, %i: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %inside = arith.cmpi slt, %i, %n : index
  "soac.assert"(%inside, %i, %n) {kind = "IndexOutOfRange", message = "index {} of {}"} : (i1, index, index) -> ()
  %enough = arith.cmpi sge, %n, %c3 : index
  "soac.assert"(%enough) {kind = "ShapeMismatch", message = "too short"} : (i1) -> ()
  %e = tensor.extract %x[%i] : tensor<?xf64>
  return %e : f64
}

// What a loop carries on is made before it is compared with what it began with: it is compared before it is written.
// CHECK-LABEL: func.func @carried_on
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %{{.*}}, %c3
// CHECK: scf.for {{.*}} iter_args(%{{.*}}, %[[NEXT:.*]] =
// CHECK: arith.xori %[[SAME]]
// CHECK: call @tl_fail(
// CHECK: memref.store %{{.*}}, %[[NEXT]]
func.func @carried_on(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?xf64>) {
    %b = "soac.map"(%c3) ({
    ^bb0(%j: index):
      %e = tensor.extract %a[%c0] : tensor<?xf64>
      "soac.yield"(%e) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<3xf64>
    %d = tensor.dim %a, %c0 : tensor<?xf64>
    %same = arith.cmpi eq, %d, %c3 : index
    "soac.assert"(%same, %d, %c3) {kind = "ShapeMismatch", message = "sizes {} and {}"} : (i1, index, index) -> ()
    %next = tensor.cast %b : tensor<3xf64> to tensor<?xf64>
    scf.yield %next : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
