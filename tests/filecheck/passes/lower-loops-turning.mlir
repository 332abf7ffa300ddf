// Loops that hand arrays on move their buffers to the new names; only what is made anew needs a spare one.
// RUN: tapeless-opt --loops %s | filecheck %s

// The wave equation: the next state is written over the older one, element by element, and both change places.
// CHECK-LABEL: func.func @wave
// CHECK: %[[ENDS:.*]]:2 = scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}, %[[U:.*]] = %{{.*}}) -> (memref<8xf64>, memref<8xf64>)
// CHECK-NEXT: scf.for %[[I:.*]] =
// CHECK-NEXT: %[[NEW:.*]] = memref.load %[[U]][%[[I]]]
// CHECK-NEXT: %[[OLD:.*]] = memref.load %[[BEFORE]][%[[I]]]
// CHECK-NEXT: %[[D:.*]] = arith.subf %[[NEW]], %[[OLD]]
// CHECK-NEXT: memref.store %[[D]], %[[BEFORE]][%[[I]]]
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[U]], %[[BEFORE]]
func.func @wave(%x: tensor<8xf64>, %y: tensor<8xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%before = %x, %u = %y) -> (tensor<8xf64>, tensor<8xf64>) {
    %after = "soac.map"(%c8, %u, %before) ({
    ^bb0(%k: index, %new: f64, %old: f64):
      %d = arith.subf %new, %old : f64
      "soac.yield"(%d) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
    scf.yield %u, %after : tensor<8xf64>, tensor<8xf64>
  }
  %e = tensor.extract %r#1[%c0] : tensor<8xf64>
  return %e : f64
}

// The older state is read backwards, so the next one is made in a spare buffer; the three move on together.
// CHECK-LABEL: func.func @turned
// CHECK: scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}, %[[U:.*]] = %{{.*}}, %[[SPARE:.*]] = %{{.*}}) ->
// CHECK: memref.load %[[U]]
// CHECK: memref.load %[[BEFORE]]
// CHECK: memref.store %{{.*}}, %[[SPARE]]
// CHECK-NOT: memref.store
// CHECK: scf.yield %[[U]], %[[SPARE]], %[[BEFORE]]
func.func @turned(%x: tensor<8xf64>, %y: tensor<8xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%before = %x, %u = %y) -> (tensor<8xf64>, tensor<8xf64>) {
    %back = "soac.reverse"(%before) {axis = 0 : i64} : (tensor<8xf64>) -> tensor<8xf64>
    %after = "soac.map"(%c8, %u, %back) ({
    ^bb0(%k: index, %new: f64, %old: f64):
      %d = arith.subf %new, %old : f64
      "soac.yield"(%d) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
    scf.yield %u, %after : tensor<8xf64>, tensor<8xf64>
  }
  %e = tensor.extract %r#1[%c0] : tensor<8xf64>
  return %e : f64
}

// Three arrays in a circle, all of them results: the buffers are the results, in an order that depends on the trips.
// CHECK-LABEL: func.func @circle
// CHECK-SAME: index, %[[P:[^:]*]]: memref<?xf64>, %[[Q:[^:]*]]: memref<?xf64>, %[[R:[^:]*]]: memref<?xf64>)
// CHECK-NOT: memref.alloc
// CHECK: arith.remui
// CHECK: %[[FIRST:.*]] = arith.select {{.*}} : memref<?xf64>
// CHECK-COUNT-3: memref.copy
// CHECK-NOT: memref.copy
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}, %[[C:.*]] = %{{.*}}) ->
// CHECK-NEXT: scf.yield %[[B]], %[[C]], %[[A]]
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @circle(%x: tensor<?xf64>, %n: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %c = %x)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
    scf.yield %b, %c, %a : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
  }
  return %r#0, %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// One buffer cannot go to two arrays: the second gets a copy, in a spare one.
// CHECK-LABEL: func.func @twice
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}, %[[SPARE:.*]] = %{{.*}}, %[[C:.*]] = %{{.*}}) ->
// CHECK: memref.load %[[C]]
// CHECK-NEXT: memref.store %{{.*}}, %[[SPARE]]
// CHECK: scf.yield %[[C]], %[[SPARE]], %[[A]], %[[B]]
func.func @twice(%x: tensor<8xf64>, %y: tensor<8xf64>, %z: tensor<8xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y, %c = %z)
      -> (tensor<8xf64>, tensor<8xf64>, tensor<8xf64>) {
    scf.yield %c, %c, %b : tensor<8xf64>, tensor<8xf64>, tensor<8xf64>
  }
  %e = tensor.extract %r#1[%c0] : tensor<8xf64>
  return %e : f64
}

// `scf.while` hands buffers through its condition.
// CHECK-LABEL: func.func @until
// CHECK: %[[ENDS:.*]]:2 = scf.while (%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) : (memref<8xf64>, memref<8xf64>)
// CHECK: scf.condition(%{{.*}}) %[[A]], %[[B]]
// CHECK: ^bb0(%[[C:.*]]: memref<8xf64>, %[[D:.*]]: memref<8xf64>):
// CHECK-NEXT: scf.yield %[[D]], %[[C]]
// CHECK: memref.load %[[ENDS]]#1
func.func @until(%x: tensor<8xf64>, %y: tensor<8xf64>, %n: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %r:2 = scf.while (%a = %x, %b = %y) : (tensor<8xf64>, tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>) {
    %e = tensor.extract %a[%c0] : tensor<8xf64>
    %go = arith.cmpf ogt, %e, %n : f64
    scf.condition(%go) %a, %b : tensor<8xf64>, tensor<8xf64>
  } do {
  ^bb0(%c: tensor<8xf64>, %d: tensor<8xf64>):
    scf.yield %d, %c : tensor<8xf64>, tensor<8xf64>
  }
  %e = tensor.extract %r#1[%c0] : tensor<8xf64>
  return %e : f64
}
