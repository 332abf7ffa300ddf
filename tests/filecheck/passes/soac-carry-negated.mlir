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

// Where only inner elements change their sign, the start and the end change it in them, and reads ask where they are.
// CHECK-LABEL: func.func @held
// CHECK-SAME: (%[[P:.*]]: tensor<8x8xf64>, %[[Q:.*]]: tensor<8x8xf64>,
// CHECK: %[[IN:.*]] = tensor.extract_slice %[[P]][1, 1] [6, 6] [1, 1]
// CHECK: arith.negf
// CHECK: %[[START:.*]] = tensor.insert_slice %{{.*}} into %[[P]][1, 1] [6, 6] [1, 1]
// CHECK: %[[ENDS:.*]]:2 = scf.for {{.*}} iter_args(%[[M:.*]] = %[[START]], %[[U:.*]] = %[[Q]])
// CHECK-NOT: tensor.insert_slice
// CHECK: %[[NEXT:.*]] = "soac.map"(%{{.*}}, %[[U]], %[[M]])
// CHECK: ^bb0(%[[I:.*]]: index,
// CHECK: ^bb0(%[[J:.*]]: index, %[[V:.*]]: f64, %[[N:.*]]: f64):
// CHECK-DAG: arith.cmpi sge, %[[I]], %{{.*}} {tapeless.guard}
// CHECK-DAG: arith.cmpi slt, %[[J]], %{{.*}} {tapeless.guard}
// CHECK: %[[E:.*]] = scf.if %{{.*}} -> (f64) {
// CHECK-NEXT: %[[SIGN:.*]] = arith.negf %[[N]]
// CHECK-NEXT: scf.yield %[[SIGN]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[N]]
// CHECK: arith.addf %[[V]], %[[E]]
// CHECK: scf.yield %[[U]], %[[NEXT]]
// CHECK: %[[END:.*]] = tensor.insert_slice %{{.*}} into %[[ENDS]]#0[1, 1] [6, 6] [1, 1]
// CHECK: return %[[END]], %[[ENDS]]#1
func.func @held(%x: tensor<8x8xf64>, %y: tensor<8x8xf64>, %n: index) -> (tensor<8x8xf64>, tensor<8x8xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y) -> (tensor<8x8xf64>, tensor<8x8xf64>) {
    %in = tensor.extract_slice %q[1, 1] [6, 6] [1, 1] : tensor<8x8xf64> to tensor<6x6xf64>
    %m = "soac.map"(%c6, %in) ({
    ^bb0(%k: index, %row: tensor<6xf64>):
      %t = "soac.map"(%c6, %row) ({
      ^bb0(%l: index, %v: f64):
        %o = arith.negf %v : f64
        "soac.yield"(%o) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<6xf64>) -> tensor<6xf64>
      "soac.yield"(%t) : (tensor<6xf64>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<6x6xf64>) -> tensor<6x6xf64>
    %a = tensor.insert_slice %m into %q[1, 1] [6, 6] [1, 1] : tensor<6x6xf64> into tensor<8x8xf64>
    %b = "soac.map"(%c8, %q, %p) ({
    ^bb0(%k: index, %s: tensor<8xf64>, %t: tensor<8xf64>):
      %u = "soac.map"(%c8, %s, %t) ({
      ^bb0(%l: index, %v: f64, %e: f64):
        %w = arith.addf %v, %e : f64
        "soac.yield"(%w) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
      "soac.yield"(%u) : (tensor<8xf64>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
    scf.yield %a, %b : tensor<8x8xf64>, tensor<8x8xf64>
  }
  return %r#0, %r#1 : tensor<8x8xf64>, tensor<8x8xf64>
}

// A slice that leaves out more than few elements stays as it is.
// CHECK-LABEL: func.func @a_corner
// CHECK: scf.for
// CHECK: tensor.insert_slice
// CHECK: scf.yield
func.func @a_corner(%x: tensor<8xf64>, %y: tensor<8xf64>, %n: index) -> tensor<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y) -> (tensor<8xf64>, tensor<8xf64>) {
    %in = tensor.extract_slice %q[0] [3] [1] : tensor<8xf64> to tensor<3xf64>
    %m = "soac.map"(%c3, %in) ({
    ^bb0(%k: index, %v: f64):
      %o = arith.negf %v : f64
      "soac.yield"(%o) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<3xf64>) -> tensor<3xf64>
    %a = tensor.insert_slice %m into %q[0] [3] [1] : tensor<3xf64> into tensor<8xf64>
    scf.yield %a, %p : tensor<8xf64>, tensor<8xf64>
  }
  return %r#0 : tensor<8xf64>
}
