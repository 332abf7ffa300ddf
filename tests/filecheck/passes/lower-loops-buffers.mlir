// lower-loops allocates outside loops, lets arrays of equal size share memory, and puts small ones on the stack.
// RUN: tapeless-opt --loops %s | filecheck %s

// Two temporaries of a loop body that are never alive together share one buffer, allocated in front of the loop.
// CHECK-LABEL: func.func @shared
// CHECK: memref.alloc(
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK: memref.dealloc
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @shared(%x: tensor<?xf64>, %steps: index, %zero: f64, %k: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r = scf.for %t = %c0 to %steps step %c1 iter_args(%s = %zero) -> f64 {
    %a = tensor.splat %s[%n] : tensor<?xf64>
    %b = tensor.insert %zero into %a[%k] : tensor<?xf64>
    %p = tensor.extract %b[%t] : tensor<?xf64>
    %c = tensor.splat %p[%n] : tensor<?xf64>
    %d = tensor.insert %s into %c[%k] : tensor<?xf64>
    %q = tensor.extract %d[%t] : tensor<?xf64>
    scf.yield %q : f64
  }
  return %r : f64
}

// A small row inside a map is a stack buffer of the whole function.
// CHECK-LABEL: func.func @stack
// CHECK: memref.alloca() : memref<8xf64>
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @stack(%x: tensor<?xf64>, %k: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %row = tensor.splat %e : tensor<8xf64>
    %changed = tensor.insert %e into %row[%k] : tensor<8xf64>
    %s = tensor.extract %changed[%c0] : tensor<8xf64>
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// An array that grows is allocated and freed by every iteration, and returned by the kernel.
// CHECK-LABEL: func.func @grow
// CHECK-SAME: \22place\22: \22allocated\22
// CHECK: scf.for %{{.*}} iter_args(%[[NOW:.*]] = %{{.*}}) -> (memref<?xf64>)
// CHECK: %[[LARGER:.*]] = memref.alloc(
// CHECK: memref.dealloc %[[NOW]]
// CHECK-NEXT: scf.yield %[[LARGER]]
// CHECK: return %{{.*}} : memref<?xf64>
func.func @grow(%x: tensor<?xf64>, %steps: index, %v: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = tensor.from_elements %v : tensor<1xf64>
  %r = scf.for %t = %c0 to %steps step %c1 iter_args(%a = %x) -> tensor<?xf64> {
    %b = tensor.concat dim(0) %a, %one : (tensor<?xf64>, tensor<1xf64>) -> tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// Arrays whose sizes may differ change places with their buffers; nothing is copied.
// CHECK-LABEL: func.func @trade
// CHECK: scf.for %{{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (memref<?xf64>, memref<?xf64>)
// CHECK-NOT: memref.alloc
// CHECK-NOT: scf.for
// CHECK: memref.store %{{.*}}, %[[B]][
// CHECK-NOT: memref.dealloc
// CHECK: scf.yield %[[B]], %[[A]]
func.func @trade(%x: tensor<?xf64>, %y: tensor<?xf64>, %steps: index, %v: f64) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%a = %x, %b = %y) -> (tensor<?xf64>, tensor<?xf64>) {
    %c = tensor.insert %v into %b[%c0] : tensor<?xf64>
    scf.yield %c, %a : tensor<?xf64>, tensor<?xf64>
  }
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

// What only the second way of a loop's derivative needs is allocated where that is taken, which is hardly ever.
// CHECK-LABEL: func.func @states_of_second_ways(
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK: scf.if
// CHECK: } else {
// CHECK: memref.alloc
// CHECK: memref.dealloc
// CHECK: return
func.func @states_of_second_ways(%a: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %a, %c0 : tensor<?xf64>
  %r = "soac.map"(%m, %a) ({
  ^bb0(%i: index, %x: f64):
    %whole = arith.mulf %x, %x : f64
    %finite = "soac.guard"(%whole) {exact = "steps"} : (f64) -> i1
    %y = scf.if %finite -> f64 {
      scf.yield %whole : f64
    } else {
      %empty = tensor.empty(%n) : tensor<?xf64>
      %states = scf.for %k = %c0 to %n step %c1 iter_args(%s = %empty) -> tensor<?xf64> {
        %t = tensor.insert %x into %s[%k] : tensor<?xf64>
        scf.yield %t : tensor<?xf64>
      }
      %z = tensor.extract %states[%c0] : tensor<?xf64>
      scf.yield %z : f64
    }
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
