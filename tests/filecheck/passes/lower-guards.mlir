// Guards become comparisons: numbers are finite if zero times their sum is zero.
// RUN: tapeless-opt --lower-guards %s | filecheck %s

// CHECK-LABEL: func.func @numbers(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[B:[^:]*]]: f32)
// CHECK: %[[WIDE:.*]] = arith.extf %[[B]] : f32 to f64
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[A]], %[[WIDE]] fastmath<reassoc,contract> : f64
// CHECK: %[[NOTHING:.*]] = arith.mulf %[[SUM]], %{{.*}} : f64
// CHECK: %[[FINITE:.*]] = arith.cmpf oeq, %[[NOTHING]], %{{.*}} : f64
// CHECK-NEXT: scf.if %[[FINITE]] -> (f64) {
// CHECK-NOT: soac.guard
func.func @numbers(%a: f64, %b: f32) -> f64 {
  %ok = "soac.guard"(%a, %b) {exact = "operations"} : (f64, f32) -> i1
  %y = scf.if %ok -> f64 {
    scf.yield %a : f64
  } else {
    %e = math.exp %a : f64
    scf.yield %e : f64
  }
  return %y : f64
}

// CHECK-LABEL: func.func @conditions(
// CHECK-SAME: %[[P:[^:]*]]: i1, %[[Q:[^:]*]]: i1, %[[A:[^:]*]]: f64)
// CHECK: %[[ALL:.*]] = arith.andi %[[P]], %[[Q]] : i1
// CHECK-NEXT: arith.select %[[ALL]]
func.func @conditions(%p: i1, %q: i1, %a: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %ok = "soac.guard"(%p, %q) {exact = "branch-free"} : (i1, i1) -> i1
  %y = arith.select %ok, %a, %zero : f64
  return %y : f64
}

// Steps of a loop that hardly any thread runs have memory of the heap; in kernels of the second way memory is planned.
// CHECK-LABEL: func.func @steps(
// CHECK: memref.alloc() : memref<2xf64>
// CHECK: } else {
// CHECK: memref.alloc() {tapeless.heap} : memref<4xf64>
// CHECK: scf.for
// CHECK-NEXT: memref.alloc() : memref<8xf64>
func.func @steps(%a: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ok = "soac.guard"(%a) {exact = "steps"} : (f64) -> i1
  %y = scf.if %ok -> f64 {
    %first = memref.alloc() : memref<2xf64>
    memref.dealloc %first : memref<2xf64>
    scf.yield %a : f64
  } else {
    %states = memref.alloc() : memref<4xf64>
    scf.for %i = %c0 to %n step %c1 {
      %own = memref.alloc() : memref<8xf64>
      memref.dealloc %own : memref<8xf64>
    } {tapeless.launch = "each thread"}
    %s = memref.load %states[%c0] : memref<4xf64>
    memref.dealloc %states : memref<4xf64>
    scf.yield %s : f64
  }
  return %y : f64
}
