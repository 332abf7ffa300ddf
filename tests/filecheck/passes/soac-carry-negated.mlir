// An array that becomes the negative of another one is carried with the other sign, so that only names change.
// RUN: tapeless-opt --soac-carry-negated %s | filecheck %s

// CHECK-LABEL: func.func @adjoints
// CHECK-SAME: (%[[P:.*]]: tensor<8xf64>, %[[Q:.*]]: tensor<8xf64>,
// CHECK: %[[START:.*]] = "soac.map"(%{{.*}}, %[[P]])
// CHECK: arith.negf
// CHECK: %[[ENDS:.*]]:2 = scf.for {{.*}} iter_args(%[[M:.*]] = %[[START]], %[[U:.*]] = %[[Q]])
// CHECK: %[[NEXT:.*]] = "soac.map"(%{{.*}}, %[[U]], %[[M]])
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[V:.*]]: f64, %[[N:.*]]: f64):
// CHECK-NEXT: %[[E:.*]] = arith.negf %[[N]]
// CHECK-NEXT: arith.addf %[[V]], %[[E]]
// CHECK: scf.yield %[[U]], %[[NEXT]]
// CHECK: %[[END:.*]] = "soac.map"(%{{.*}}, %[[ENDS]]#0)
// CHECK: arith.negf
// CHECK: return %[[END]], %[[ENDS]]#1
func.func @adjoints(%x: tensor<8xf64>, %y: tensor<8xf64>, %n: index) -> (tensor<8xf64>, tensor<8xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y) -> (tensor<8xf64>, tensor<8xf64>) {
    %a:2 = "soac.map"(%c8, %q, %p) ({
    ^bb0(%k: index, %v: f64, %e: f64):
      %s = arith.addf %v, %e : f64
      %m = arith.negf %v : f64
      "soac.yield"(%m, %s) : (f64, f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>}
      : (index, tensor<8xf64>, tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
    scf.yield %a#0, %a#1 : tensor<8xf64>, tensor<8xf64>
  }
  return %r#0, %r#1 : tensor<8xf64>, tensor<8xf64>
}

// What is filled is filled with the other sign; an element that is read changes its sign behind the read.
// CHECK-LABEL: func.func @filled
// CHECK: %[[FILL:.*]] = arith.negf %{{.*}}
// CHECK: %[[START:.*]] = tensor.splat %[[FILL]]
// CHECK: scf.for {{.*}} iter_args(%[[M:.*]] = %[[START]], %[[Q:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK: %[[E:.*]] = tensor.extract %[[M]]
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[E]]
// CHECK-NEXT: arith.addf %{{.*}}, %[[N]]
// CHECK: scf.yield %[[Q]]
func.func @filled(%v: f64, %y: tensor<8xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %x = tensor.splat %v : tensor<8xf64>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y, %t = %v) -> (tensor<8xf64>, tensor<8xf64>, f64) {
    %e = tensor.extract %p[%c0] : tensor<8xf64>
    %s = arith.addf %t, %e : f64
    %a = "soac.map"(%c8, %q) ({
    ^bb0(%k: index, %v0: f64):
      %m = arith.negf %v0 : f64
      "soac.yield"(%m) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<8xf64>) -> tensor<8xf64>
    scf.yield %a, %q, %s : tensor<8xf64>, tensor<8xf64>, f64
  }
  return %r#2 : f64
}

// A slice of the array is read: it would have to be made with the other sign.
// CHECK-LABEL: func.func @sliced
// CHECK-NOT: arith.negf
// CHECK: scf.for
// CHECK: %[[M:.*]] = "soac.map"
// CHECK: arith.negf
// CHECK: scf.yield %[[M]]
func.func @sliced(%x: tensor<8xf64>, %y: tensor<8xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y) -> (tensor<8xf64>, tensor<8xf64>) {
    %s = tensor.extract_slice %p[0] [4] [1] : tensor<8xf64> to tensor<4xf64>
    %w = tensor.insert_slice %s into %q[4] [4] [1] : tensor<4xf64> into tensor<8xf64>
    %a = "soac.map"(%c8, %q) ({
    ^bb0(%k: index, %v0: f64):
      %m = arith.negf %v0 : f64
      "soac.yield"(%m) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<8xf64>) -> tensor<8xf64>
    scf.yield %a, %w : tensor<8xf64>, tensor<8xf64>
  }
  %e = tensor.extract %r#1[%c0] : tensor<8xf64>
  return %e : f64
}
