// soac-fuse-sequential-loops takes what a loop carries from another one that carries the same, and more.
// RUN: tapeless-opt --soac-fuse-sequential-loops %s | filecheck %s

// The second loop keeps states beside; it moves to where the first one was, with the array it fills.
// CHECK-LABEL: func.func @states
// CHECK: tensor.empty
// CHECK-NEXT: %[[BOTH:.*]]:2 = scf.for
// CHECK-NOT: scf.for
// CHECK: arith.addf %[[BOTH]]#0, %[[BOTH]]#0
// CHECK: return %{{.*}}, %[[BOTH]]#1
func.func @states(%x: f64, %n: index) -> (f64, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %b = arith.mulf %a, %a : f64
    scf.yield %b : f64
  }
  %two = arith.addf %y, %y : f64
  %size = arith.maxsi %n, %c0 : index
  %empty = tensor.empty(%size) : tensor<?xf64>
  %z:2 = scf.for %i = %c0 to %size step %c1 iter_args(%a = %x, %kept = %empty) -> (f64, tensor<?xf64>) {
    %more = tensor.insert %a into %kept[%i] : tensor<?xf64>
    %b = arith.mulf %a, %a : f64
    scf.yield %b, %more : f64, tensor<?xf64>
  }
  return %two, %z#1 : f64, tensor<?xf64>
}

// Two values that stay the same together, in another order.
// CHECK-LABEL: func.func @turned
// CHECK: %[[ALL:.*]]:3 = scf.for
// CHECK-NOT: scf.for
// CHECK: return %[[ALL]]#0, %[[ALL]]#2, %[[ALL]]#1
func.func @turned(%x: f64, %y: f64, %n: index) -> (f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all:3 = scf.for %i = %c0 to %n step %c1 iter_args(%b = %y, %s = %x, %a = %x) -> (f64, f64, f64) {
    %next = arith.addf %a, %b : f64
    %less = arith.subf %a, %b : f64
    %sum = arith.mulf %s, %s : f64
    scf.yield %less, %sum, %next : f64, f64, f64
  }
  %two:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (f64, f64) {
    %next = arith.addf %a, %b : f64
    %less = arith.subf %a, %b : f64
    scf.yield %next, %less : f64, f64
  }
  return %two#1, %two#0, %all#1 : f64, f64, f64
}

// Nothing that is carried is the same, but a function of the index is.
// CHECK-LABEL: func.func @functions
// CHECK: scf.for
// CHECK: math.exp
// CHECK-NOT: {{math.exp|scf.for}}
// CHECK: return
func.func @functions(%x: f64, %n: index, %empty: tensor<?xf64>) -> (f64, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %k = arith.index_cast %i : index to i64
    %t = arith.sitofp %k : i64 to f64
    %z = arith.mulf %t, %x : f64
    %e = math.exp %z : f64
    %b = arith.addf %a, %e : f64
    scf.yield %b : f64
  }
  %kept = scf.for %i = %c0 to %n step %c1 iter_args(%all = %empty) -> tensor<?xf64> {
    %k = arith.index_cast %i : index to i64
    %t = arith.sitofp %k : i64 to f64
    %z = arith.mulf %x, %t : f64
    %e = math.exp %z : f64
    %more = tensor.insert %e into %all[%i] : tensor<?xf64>
    scf.yield %more : tensor<?xf64>
  }
  return %sum, %kept : f64, tensor<?xf64>
}

// A loop from last to first that adds up goes the other way; where it carries something else it does not.
// CHECK-LABEL: func.func @turned_round
// CHECK: scf.for
// CHECK: math.exp
// CHECK-NOT: {{math.exp|scf.for|arith.subi}}
// CHECK: return
// CHECK-LABEL: func.func @in_order
// CHECK-COUNT-2: math.exp
// CHECK: return
func.func @turned_round(%x: tensor<9xf64>) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %zero) -> f64 {
    %y = tensor.extract %x[%i] : tensor<9xf64>
    %e = math.exp %y : f64
    %b = arith.addf %a, %e : f64
    scf.yield %b : f64
  }
  %bar = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %zero) -> f64 {
    %k = arith.subi %c8, %i : index
    %y = tensor.extract %x[%k] : tensor<9xf64>
    %e = math.exp %y : f64
    %s = arith.mulf %e, %y : f64
    %b = arith.addf %a, %s fastmath<reassoc,contract> : f64
    scf.yield %b : f64
  }
  return %sum, %bar : f64, f64
}
func.func @in_order(%x: tensor<9xf64>) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %zero) -> f64 {
    %y = tensor.extract %x[%i] : tensor<9xf64>
    %e = math.exp %y : f64
    %b = arith.addf %a, %e : f64
    scf.yield %b : f64
  }
  %bar = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %zero) -> f64 {
    %k = arith.subi %c8, %i : index
    %y = tensor.extract %x[%k] : tensor<9xf64>
    %e = math.exp %y : f64
    %s = arith.mulf %a, %y : f64
    %b = arith.addf %s, %e fastmath<reassoc,contract> : f64
    scf.yield %b : f64
  }
  return %sum, %bar : f64, f64
}

// Loops that start from something else, do another step, or run another number of times are others.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-4: scf.for
// CHECK: return
func.func @others(%x: f64, %y: f64, %n: index, %m: index) -> (f64, f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %b = arith.mulf %a, %a : f64
    scf.yield %b : f64
  }
  %q = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> f64 {
    %b = arith.mulf %a, %a : f64
    scf.yield %b : f64
  }
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %b = arith.mulf %a, %a fastmath<contract> : f64
    scf.yield %b : f64
  }
  %s = scf.for %i = %c0 to %m step %c1 iter_args(%a = %x) -> f64 {
    %b = arith.mulf %a, %a : f64
    scf.yield %b : f64
  }
  return %p, %q, %r, %s : f64, f64, f64, f64
}

// A loop that needs what the other one gives, and one that a check stands before, stay where they are.
// CHECK-LABEL: func.func @in_the_way
// CHECK-COUNT-3: scf.for
// CHECK: return
func.func @in_the_way(%x: f64, %n: index, %c: i1) -> (f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %b = arith.mulf %a, %a : f64
    scf.yield %b : f64
  }
  %q:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %s = %p) -> (f64, f64) {
    %b = arith.mulf %a, %a : f64
    scf.yield %b, %b : f64, f64
  }
  "soac.assert"(%c) {kind = "IndexOutOfRange", message = "no"} : (i1) -> ()
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %s = %x) -> (f64, f64) {
    %b = arith.mulf %a, %a : f64
    %t = arith.addf %s, %b : f64
    scf.yield %b, %t : f64, f64
  }
  return %p, %q#1, %r#1 : f64, f64, f64
}
