// Reports call the runtime with the number of their site, where they stand; their result is the condition.
// RUN: tapeless-opt --loops %s | filecheck %s

// CHECK: tapeless.sites = "[{\22kind\22: \22drift\22, \22message\22: \22off by {}; {} times\22
// CHECK-SAME: \22ends\22: false}

// Once for each element that needs it, not for all of them.
// CHECK-LABEL: func.func @reports(
// CHECK: scf.for
// CHECK: %[[SMALL:.*]] = arith.cmpf ole, %[[ERROR:.*]], %{{.*}} : f64
// CHECK: %[[WORD:.*]] = arith.extui %[[SMALL]] : i1 to i64
// CHECK: call @tl_report(%{{.*}}, %[[WORD]], %[[ERROR]]) : (i64, i64, f64) -> ()
// CHECK: arith.select %[[SMALL]]
func.func @reports(%x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %most = arith.constant 1.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %small = arith.cmpf ole, %e, %most : f64
    %ok = "soac.report"(%small, %e) {message = "off by {}; {} times"} : (i1, f64) -> i1
    %r = arith.select %ok, %e, %most : f64
    "soac.yield"(%r) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
