// Checks whose failure is noted call the runtime with their values one by one, and the program goes on.
// RUN: tapeless-opt --loops %s | filecheck %s

// CHECK: tapeless.sites = "[{\22kind\22: \22InvertibilityError\22
// CHECK-SAME: \22types\22: [\22i64\22], \22ends\22: false}

// Nothing is concluded from them: both sizes are asked for.
// CHECK-LABEL: func.func @noted(
// CHECK: %[[SAME:.*]] = arith.cmpi eq
// CHECK: %[[FAILS:.*]] = arith.xori %[[SAME]]
// CHECK: scf.if %[[FAILS]] {
// CHECK-NEXT: %[[WORD:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK-NEXT: call @tl_note(%{{.*}}, %[[WORD]], %[[ZERO:.*]], %[[ZERO]], %[[ZERO]], %[[ZERO]], %[[ZERO]], %[[ZERO]], %[[ZERO]])
// CHECK-NOT: tl_fail
func.func @noted(%x: tensor<?xf64>, %y: tensor<?xf64>, %i: index) -> f64 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %m = tensor.dim %y, %c0 : tensor<?xf64>
  %same = arith.cmpi eq, %n, %m : index
  "soac.assert"(%same, %n) {kind = "InvertibilityError", message = "size {}", tapeless.noted} : (i1, index) -> ()
  %e = tensor.extract %x[%i] : tensor<?xf64>
  return %e : f64
}
