// A map with guards is cut at the slice that a map before it reads, and merged with that.
// RUN: tapeless-opt --soac-align-gathered %s | filecheck %s

// One loop over the slice makes both; one element before and one behind are computed alone, without guards.
// CHECK-LABEL: func.func @adjoints
// CHECK: scf.for {{.*}} iter_args(%[[P:.*]] = %{{.*}}, %[[Q:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}})
// CHECK-DAG: %[[QS:.*]] = tensor.extract_slice %[[Q]][1] [8] [1]
// CHECK-DAG: %[[PS:.*]] = tensor.extract_slice %[[P]][1] [8] [1]
// CHECK: %[[INSIDE:.*]]:2 = "soac.map"(%c8{{.*}}) ({
// CHECK-NEXT: ^bb0(%[[I:.*]]: index, %{{.*}}: f64, %{{.*}}: f64, %{{.*}}: f64):
// CHECK: arith.mulf
// CHECK: arith.cmpi slt, %[[I]], %c7{{.*}} {tapeless.guard}
// CHECK: tensor.extract %[[W:.*]][
// CHECK: tensor.insert_slice %[[INSIDE]]#{{[01]}} into
// CHECK: %[[FIRST:.*]] = tensor.insert_slice %[[INSIDE]]#{{[01]}} into %[[P]][1] [8] [1]
// CHECK: tensor.extract_slice %[[FIRST]][0] [1] [1]
// CHECK-NOT: tapeless.guard
// CHECK: %[[SECOND:.*]] = tensor.insert_slice %{{.*}} into %[[FIRST]][0] [1] [1]
// CHECK: tensor.extract_slice %[[SECOND]][9] [1] [1]
// CHECK-NOT: tapeless.guard
// CHECK: %[[THIRD:.*]] = tensor.insert_slice %{{.*}} into %[[SECOND]][9] [1] [1]
// CHECK: scf.yield %[[Q]], %[[THIRD]]
func.func @adjoints(%x: tensor<10xf64>, %y: tensor<10xf64>, %z: tensor<10xf64>, %w: tensor<8xf64>, %n: index)
    -> (tensor<10xf64>, tensor<10xf64>, tensor<10xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %x, %q = %y, %s = %z)
      -> (tensor<10xf64>, tensor<10xf64>, tensor<10xf64>) {
    %qs = tensor.extract_slice %q[1] [8] [1] : tensor<10xf64> to tensor<8xf64>
    %ss = tensor.extract_slice %s[1] [8] [1] : tensor<10xf64> to tensor<8xf64>
    %a = "soac.map"(%c8, %qs, %ss) ({
    ^bb0(%i: index, %e: f64, %f: f64):
      %m = arith.mulf %e, %f : f64
      "soac.yield"(%m) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
    %t = tensor.insert_slice %a into %s[1] [8] [1] : tensor<8xf64> into tensor<10xf64>
    %b = "soac.map"(%c10, %q, %p) ({
    ^bb0(%i: index, %e: f64, %f: f64):
      %d = arith.subf %e, %f : f64
      %g = arith.cmpi slt, %i, %c8 {tapeless.guard} : index
      %h = scf.if %g -> (f64) {
        %v = tensor.extract %w[%i] : tensor<8xf64>
        %m = arith.addf %d, %v : f64
        scf.yield %m : f64
      } else {
        scf.yield %d : f64
      }
      "soac.yield"(%h) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<10xf64>, tensor<10xf64>) -> tensor<10xf64>
    scf.yield %q, %b, %t : tensor<10xf64>, tensor<10xf64>, tensor<10xf64>
  }
  return %r#0, %r#1, %r#2 : tensor<10xf64>, tensor<10xf64>, tensor<10xf64>
}

// What the second map makes needs what the first one stores: they stay as they are.
// CHECK-LABEL: func.func @one_after_the_other
// CHECK: "soac.map"(%c8
// CHECK: "soac.map"(%c10
// CHECK: tapeless.guard
// CHECK-NOT: soac.map
// CHECK: return
func.func @one_after_the_other(%x: tensor<10xf64>, %y: tensor<10xf64>, %n: index) -> (tensor<10xf64>, tensor<10xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %x, %q = %y) -> (tensor<10xf64>, tensor<10xf64>) {
    %qs = tensor.extract_slice %q[1] [8] [1] : tensor<10xf64> to tensor<8xf64>
    %a = "soac.map"(%c8, %qs) ({
    ^bb0(%i: index, %e: f64):
      %m = arith.mulf %e, %e : f64
      "soac.yield"(%m) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<8xf64>) -> tensor<8xf64>
    %b = "soac.map"(%c10, %q, %p) ({
    ^bb0(%i: index, %e: f64, %f: f64):
      %d = arith.subf %e, %f : f64
      %g = arith.cmpi slt, %i, %c8 {tapeless.guard} : index
      %h = scf.if %g -> (f64) {
        %v = tensor.extract %a[%i] : tensor<8xf64>
        %m = arith.addf %d, %v : f64
        scf.yield %m : f64
      } else {
        scf.yield %d : f64
      }
      "soac.yield"(%h) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<10xf64>, tensor<10xf64>) -> tensor<10xf64>
    scf.yield %q, %b : tensor<10xf64>, tensor<10xf64>
  }
  return %r#0, %r#1 : tensor<10xf64>, tensor<10xf64>
}
