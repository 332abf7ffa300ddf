// lower-speculate-guards lets loops take the first way of guarded branches; where that was not right they run again.
// RUN: tapeless-opt --lower-speculate-guards %s | filecheck %s
// RUN: tapeless-opt --lower-speculate-guards="fused=false" %s | filecheck %s --check-prefix=PLAIN
// RUN: tapeless-opt --lower-speculate-guards="flags=contract" %s | filecheck %s --check-prefix=PLAIN

// CHECK-LABEL: func.func @quotients(
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: %[[USUAL:.*]]:3 = scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[VALUE:.*]] = %{{.*}}, %[[STATE:.*]] = %{{.*}}) -> (f64, f64, f64) {
// CHECK: %[[WHOLE:.*]] = arith.divf
// CHECK: %[[NOTHING:.*]] = arith.mulf %[[WHOLE]]
// CHECK-NOT: scf.if
// CHECK: memref.store %[[WHOLE]]
// CHECK: arith.addf %[[SUM]], %[[WHOLE]]
// CHECK: %[[NEXT:.*]] = arith.addf %[[STATE]], %[[NOTHING]] fastmath<reassoc,nsz,contract> : f64
// CHECK-NEXT: scf.yield %{{.*}}, %{{.*}}, %[[NEXT]] : f64, f64, f64
// CHECK-NEXT: } {tapeless.parallel}
// CHECK: %[[FINITE:.*]] = arith.cmpf oeq, %[[USUAL]]#2, %{{.*}} : f64
// CHECK-NEXT: %[[FOUND:.*]] = scf.if %[[FINITE]] -> (f64) {
// CHECK-NEXT: scf.yield %[[USUAL]]#0 : f64
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[AGAIN:.*]]:2 = scf.for
// CHECK: arith.cmpf oeq
// CHECK-NOT: soac.guard
// CHECK: scf.if
// CHECK: } {loop_annotation
// CHECK-NEXT: scf.yield %[[AGAIN]]#0 : f64
// The sum of values does not depend on branches: it stays what it was.
// CHECK: return %[[FOUND]], %[[USUAL]]#1 : f64, f64
func.func @quotients(%a: memref<?xf64>, %b: memref<?xf64>, %c: memref<?xf64>, %n: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sums:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %value = %zero) -> (f64, f64) {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = memref.load %b[%i] : memref<?xf64>
    %s = arith.mulf %y, %y : f64
    %whole = arith.divf %x, %s : f64
    %finite = "soac.guard"(%whole) {exact = "operations"} : (f64) -> i1
    %r = scf.if %finite -> f64 {
      scf.yield %whole : f64
    } else {
      %t = arith.divf %x, %y : f64
      %u = arith.divf %t, %y : f64
      scf.yield %u : f64
    }
    memref.store %r, %c[%i] : memref<?xf64>
    %more = arith.addf %sum, %r fastmath<reassoc,nsz,contract> : f64
    %values = arith.addf %value, %x fastmath<reassoc,nsz,contract> : f64
    scf.yield %more, %values : f64, f64
  } {tapeless.parallel}
  return %sums#0, %sums#1 : f64, f64
}

// A loop that writes over what it reads, and what nothing has filled before, cannot run again.
// CHECK-LABEL: func.func @in_place(
// CHECK: scf.for
// CHECK: scf.if
// CHECK: memref.store
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @in_place(%a: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %s = arith.mulf %x, %x : f64
    %whole = arith.divf %x, %s : f64
    %finite = "soac.guard"(%whole) {exact = "operations"} : (f64) -> i1
    %r = scf.if %finite -> f64 {
      scf.yield %whole : f64
    } else {
      %t = arith.divf %x, %x : f64
      %u = arith.divf %t, %x : f64
      scf.yield %u : f64
    }
    memref.store %r, %a[%i] : memref<?xf64>
  }
  return
}

// A loop that adds to an array runs again together with the loop that fills it; the processor tells whether it has to.
// CHECK-LABEL: func.func @chain(
// CHECK-NEXT: call @tl_watch_floats() : () -> ()
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: %[[P:.*]] = arith.mulf {{.*}} {tapeless.fused} : f64
// CHECK-NOT: soac.guard
// CHECK: memref.store
// CHECK: memref.store
// CHECK-NEXT: }
// CHECK-NEXT: %[[SEEN:.*]] = call @tl_saw_infinite() : () -> i64
// CHECK: %[[FINITE:.*]] = arith.cmpi eq, %[[SEEN]], %{{.*}} : i64
// CHECK-NEXT: scf.if %[[FINITE]] {
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.for
// CHECK-NEXT: memref.store
// CHECK-NEXT: }
// CHECK-NEXT: scf.for
// CHECK: scf.if
// CHECK: } {loop_annotation
func.func @chain(%a: memref<?xf64>, %m: index, %n: index) -> memref<?xf64> {
  %g = memref.alloc(%m) : memref<?xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %m step %c1 {
    memref.store %zero, %g[%i] : memref<?xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %next = arith.addi %i, %c1 : index
    %x = memref.load %a[%i] : memref<?xf64>
    %s = arith.divf %x, %x : f64
    %whole = arith.mulf %s, %x fastmath<contract> : f64
    %finite = "soac.guard"(%whole) {exact = "operations"} : (f64) -> i1
    %r = scf.if %finite -> f64 {
      scf.yield %whole : f64
    } else {
      %t = arith.divf %x, %x : f64
      scf.yield %t : f64
    }
    %u = memref.load %g[%i] : memref<?xf64>
    %v = arith.addf %u, %r fastmath<reassoc,contract> : f64
    memref.store %v, %g[%i] : memref<?xf64>
    %w = memref.load %g[%next] : memref<?xf64>
    %y = arith.subf %w, %r fastmath<reassoc,contract> : f64
    memref.store %y, %g[%next] : memref<?xf64>
  }
  return %g : memref<?xf64>
}

// Memory that only second ways need, as for states of a loop, does not keep a loop from running again.
// CHECK-LABEL: func.func @states(
// CHECK: scf.for {{.*}} iter_args
// CHECK-NOT: {{memref.alloc|scf.if}}
// CHECK: memref.store
// CHECK: scf.yield
// CHECK: } {tapeless.parallel}
// CHECK: scf.if
// CHECK: } else {
// CHECK: scf.for
// CHECK: memref.alloc
// CHECK: return
func.func @states(%a: memref<?xf64>, %c: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %whole = arith.mulf %x, %x : f64
    %finite = "soac.guard"(%whole) {exact = "steps"} : (f64) -> i1
    %r = scf.if %finite -> f64 {
      scf.yield %whole : f64
    } else {
      %states = memref.alloc(%n) : memref<?xf64>
      memref.store %x, %states[%c0] : memref<?xf64>
      %s = memref.load %states[%c0] : memref<?xf64>
      memref.dealloc %states : memref<?xf64>
      scf.yield %s : f64
    }
    memref.store %r, %c[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// What several branches look at is added up before: the sum over iterations has one term, and stays one of lanes.
// CHECK-LABEL: func.func @two_branches(
// CHECK: scf.for {{.*}} iter_args(%[[STATE:.*]] = %{{.*}}) -> (f64) {
// CHECK: %[[BOTH:.*]] = arith.addf %{{.*}}, %{{.*}} fastmath<reassoc,nsz,contract> : f64
// CHECK-NEXT: %[[NEXT:.*]] = arith.addf %[[STATE]], %[[BOTH]] fastmath<reassoc,nsz,contract> : f64
// CHECK-NEXT: scf.yield %[[NEXT]] : f64
func.func @two_branches(%a: memref<?xf64>, %c: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %one = arith.mulf %x, %x : f64
    %finite = "soac.guard"(%one) {exact = "operations"} : (f64) -> i1
    %r = scf.if %finite -> f64 {
      scf.yield %one : f64
    } else {
      scf.yield %x : f64
    }
    %two = arith.mulf %r, %x : f64
    %fine = "soac.guard"(%two) {exact = "operations"} : (f64) -> i1
    %s = scf.if %fine -> f64 {
      scf.yield %two : f64
    } else {
      scf.yield %x : f64
    }
    memref.store %s, %c[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// Divisions by a root that are for first ways alone become products; the loop that runs again divides.
// CHECK-LABEL: func.func @directions(
// CHECK: scf.for
// CHECK-NOT: math.sqrt
// CHECK: %[[R:.*]] = math.rsqrt %{{.*}} fastmath<contract> {tapeless.normal} : f64
// CHECK: %[[X:.*]] = arith.mulf %{{.*}}, %[[R]] fastmath<contract> : f64
// CHECK: %[[NOTHING:.*]] = arith.mulf %[[X]]
// CHECK: memref.store %[[X]]
// CHECK-NEXT: memref.store %[[R]]
// CHECK-NEXT: arith.addf %{{.*}}, %[[NOTHING]]
// CHECK-NEXT: scf.yield
// CHECK: scf.if
// CHECK: } else {
// CHECK: math.sqrt
// CHECK: arith.divf
// CHECK-NOT: math.rsqrt
// PLAIN-LABEL: func.func @directions(
// PLAIN-NOT: math.rsqrt
func.func @directions(%a: memref<?xf64>, %b: memref<?xf64>, %c: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %s = math.sqrt %x fastmath<contract> : f64
    %whole = arith.divf %x, %s fastmath<contract> : f64
    %other = arith.divf %one, %s fastmath<contract> : f64
    %finite = "soac.guard"(%whole) {exact = "operations"} : (f64) -> i1
    %r:2 = scf.if %finite -> (f64, f64) {
      scf.yield %whole, %other : f64, f64
    } else {
      %t = arith.mulf %x, %s : f64
      scf.yield %t, %s : f64, f64
    }
    memref.store %r#0, %b[%i] : memref<?xf64>
    memref.store %r#1, %c[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// What the branches do not see of a reciprocal root is looked at by itself: here it goes into a function.
// CHECK-LABEL: func.func @damped(
// CHECK: %[[R:.*]] = math.rsqrt
// CHECK-NEXT: %{{.*}} = arith.constant 0.0
// CHECK-NEXT: %[[OWN:.*]] = arith.mulf %[[R]], %{{.*}} : f64
// CHECK: %[[WHOLE:.*]] = math.tanh
// CHECK: %[[TESTED:.*]] = arith.mulf %[[WHOLE]]
// CHECK: %[[BOTH:.*]] = arith.addf %[[TESTED]], %[[OWN]] fastmath<reassoc,nsz,contract> : f64
// CHECK-NEXT: arith.addf %{{.*}}, %[[BOTH]]
// CHECK-NEXT: scf.yield
func.func @damped(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %s = math.sqrt %x fastmath<contract> : f64
    %q = arith.divf %x, %s fastmath<contract> : f64
    %whole = math.tanh %q fastmath<contract> : f64
    %finite = "soac.guard"(%whole) {exact = "operations"} : (f64) -> i1
    %r = scf.if %finite -> f64 {
      scf.yield %whole : f64
    } else {
      scf.yield %x : f64
    }
    memref.store %r, %b[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// Roots that something else needs stay, and so do divisions of which a value comes.
// CHECK-LABEL: func.func @values(
// CHECK-NOT: math.rsqrt
// CHECK: return
func.func @values(%a: memref<?xf64>, %b: memref<?xf64>, %c: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %s = math.sqrt %x fastmath<contract> : f64
    %q = arith.divf %x, %s fastmath<contract> : f64
    %y = arith.addf %x, %x fastmath<contract> : f64
    %t = math.sqrt %y fastmath<contract> : f64
    %p = arith.divf %x, %t fastmath<contract> : f64
    %whole = arith.mulf %q, %p fastmath<contract> : f64
    %finite = "soac.guard"(%whole) {exact = "operations"} : (f64) -> i1
    %r = scf.if %finite -> f64 {
      scf.yield %whole : f64
    } else {
      scf.yield %x : f64
    }
    memref.store %r, %b[%i] : memref<?xf64>
    %value = arith.addf %t, %q fastmath<contract> : f64
    memref.store %value, %c[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// A branch that asks whether its first way is finite takes it, where a guard of the loop would see that it is not. Where it
// is not, the loop runs with this branch, and if that is not enough with all of them.
// CHECK-LABEL: func.func @closed_forms(
// CHECK: %[[USUAL:.*]] = scf.for {{.*}} iter_args
// CHECK: %[[SQUARE:.*]] = arith.mulf
// CHECK: %[[CUBE:.*]] = arith.mulf
// CHECK-NOT: scf.if
// CHECK: memref.store %[[SQUARE]]
// CHECK: memref.store %[[CUBE]]
// CHECK: } {tapeless.parallel}
// CHECK: arith.cmpf oeq, %[[USUAL]]
// CHECK: scf.if
// CHECK: } else {
// CHECK: %[[MORE:.*]] = scf.for {{.*}} iter_args
// CHECK: %[[FOUND:.*]]:2 = scf.if %{{.*}} -> (f64, f64) {
// CHECK-NOT: scf.if
// CHECK: memref.store %[[FOUND]]#0
// CHECK: memref.store %[[FOUND]]#1
// CHECK: } {tapeless.parallel}
// CHECK: arith.cmpf oeq, %[[MORE]]
// CHECK: scf.if
// CHECK: } else {
// CHECK: scf.for
// CHECK: scf.if
// CHECK: scf.if
// CHECK: } {loop_annotation
func.func @closed_forms(%a: memref<?xf64>, %b: memref<?xf64>, %c: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %inf = arith.constant 0x7FF0000000000000 : f64
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %square = arith.mulf %x, %x : f64
    %cube = arith.mulf %square, %x : f64
    %size = math.absf %square : f64
    %other = math.absf %cube : f64
    %small = arith.cmpf olt, %size, %inf : f64
    %too = arith.cmpf olt, %other, %inf : f64
    %both = arith.andi %small, %too : i1
    %p:2 = scf.if %both -> (f64, f64) {
      scf.yield %square, %cube : f64, f64
    } else {
      scf.yield %x, %zero : f64, f64
    }
    %sum = arith.addf %p#0, %p#1 fastmath<reassoc,contract> : f64
    %finite = "soac.guard"(%sum) {exact = "operations"} : (f64) -> i1
    %r:2 = scf.if %finite -> (f64, f64) {
      scf.yield %p#0, %p#1 : f64, f64
    } else {
      scf.yield %x, %x : f64, f64
    }
    memref.store %r#0, %b[%i] : memref<?xf64>
    memref.store %r#1, %c[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// Branches stay that ask for anything else: whether numbers are small, or finite that no guard sees.
// CHECK-LABEL: func.func @other_questions(
// CHECK: scf.for
// CHECK: scf.if
// CHECK: scf.if
// CHECK: memref.store
func.func @other_questions(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %inf = arith.constant 0x7FF0000000000000 : f64
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %square = arith.mulf %x, %x : f64
    %size = math.absf %square : f64
    %small = arith.cmpf olt, %size, %one : f64
    %p = scf.if %small -> (f64) {
      scf.yield %square : f64
    } else {
      scf.yield %x : f64
    }
    %is_finite = arith.cmpf olt, %size, %inf : f64
    %q = scf.if %is_finite -> (f64) {
      scf.yield %square : f64
    } else {
      scf.yield %one : f64
    }
    %bounded = math.tanh %q : f64
    %sum = arith.addf %p, %bounded fastmath<reassoc,contract> : f64
    %finite = "soac.guard"(%sum) {exact = "operations"} : (f64) -> i1
    %r = scf.if %finite -> f64 {
      scf.yield %sum : f64
    } else {
      scf.yield %x : f64
    }
    memref.store %r, %b[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// In a map, a loop of steps takes the first way of its branches, and so does the map around it, which runs again in
// memory of its own: what its iterations keep for themselves would tie both runs together.
// CHECK-LABEL: func.func @steps_in_a_map(
// CHECK-COUNT-2: memref.alloca
// CHECK: %[[STATUS:.*]] = scf.for
// CHECK: scf.for
// CHECK: %[[INNER:.*]]:2 = scf.for
// CHECK-NOT: scf.if
// CHECK: %[[NOTHING:.*]] = arith.mulf %[[INNER]]#1
// CHECK: arith.addf %{{.*}}, %[[NOTHING]]
// CHECK: } {tapeless.parallel}
// CHECK: arith.cmpf oeq, %[[STATUS]]
// CHECK: scf.if
// CHECK: scf.for
// CHECK: scf.if
// CHECK: scf.for
// CHECK: return
func.func @steps_in_a_map(%a: memref<?xf64>, %c: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f64
  %kept = memref.alloca() : memref<5xf64>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    scf.for %k = %c0 to %c5 step %c1 {
      memref.store %x, %kept[%k] : memref<5xf64>
    }
    %sum = scf.for %k = %c0 to %c5 step %c1 iter_args(%s = %zero) -> f64 {
      %y = memref.load %kept[%k] : memref<5xf64>
      %square = arith.mulf %y, %y : f64
      %whole = arith.divf %s, %square : f64
      %finite = "soac.guard"(%whole) {exact = "operations"} : (f64) -> i1
      %r = scf.if %finite -> f64 {
        scf.yield %whole : f64
      } else {
        %t = arith.divf %s, %y : f64
        %u = arith.divf %t, %y : f64
        scf.yield %u : f64
      }
      scf.yield %r : f64
    }
    memref.store %sum, %c[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}
