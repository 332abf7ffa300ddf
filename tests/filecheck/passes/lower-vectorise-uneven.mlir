// lower-vectorise: inner loops that lanes leave at different times run until the last lane has left.
// RUN: tapeless-opt --lower-vectorise="vector-bits=256 unroll=1" %s | filecheck %s

// A loop that runs until a lane has converged: what a lane carries stays as it was when the lane left.
// CHECK-LABEL: func.func @until_converged
// CHECK: %[[X:.*]] = vector.load %arg0
// CHECK: %[[FOUND:.*]]:3 = scf.while (%[[Y:.*]] = %[[X]], %[[THERE:.*]] = %{{.*}}) : (vector<4xf64>, vector<4xi1>)
// CHECK: %[[FAR:.*]] = arith.cmpf ogt, %{{.*}} : vector<4xf64>
// CHECK: %[[STILL:.*]] = arith.andi %[[THERE]], %[[FAR]] : vector<4xi1>
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[STILL]] : vector<4xi1> into i1
// CHECK: scf.condition(%[[ANY]]) %[[Y]], %[[Y]], %[[STILL]]
// CHECK: ^bb0(%{{.*}}: vector<4xf64>, %[[OLD:.*]]: vector<4xf64>, %[[HERE:.*]]: vector<4xi1>):
// CHECK: %[[NEW:.*]] = arith.subf {{.*}} : vector<4xf64>
// CHECK: %[[KEPT:.*]] = arith.select %[[HERE]], %[[NEW]], %[[OLD]] : vector<4xi1>, vector<4xf64>
// CHECK: scf.yield %[[KEPT]], %[[HERE]]
// CHECK: vector.store %[[FOUND]]#0, %arg1
func.func @until_converged(%a: memref<?xf64>, %c: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %small = arith.constant 1.0e-6 : f64
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %found = scf.while (%y = %x) : (f64) -> f64 {
      %s = math.sin %y : f64
      %far = arith.cmpf ogt, %s, %small : f64
      scf.condition(%far) %y : f64
    } do {
    ^bb0(%y: f64):
      %t = math.cos %y : f64
      %u = arith.mulf %t, %y : f64
      %next = arith.subf %y, %u : f64
      scf.yield %next : f64
    }
    memref.store %found, %c[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// Bounds of lanes, and room for the longest one: lanes that have left keep what they wrote. On the way back lanes begin
// later that have less, so that all look at one place.
// CHECK-LABEL: func.func @there_and_back
// CHECK: %[[ENDS:.*]] = vector.load %arg1
// CHECK: %[[ROOM:.*]] = vector.reduction <maxsi>, %[[ENDS]] : vector<4xindex> into index
// CHECK: %[[OWN:.*]] = memref.alloc(%[[ROOM]]) {alignment = 64 : i64} : memref<?x4xf64>
// CHECK: %[[LAST:.*]] = vector.reduction <maxsi>, %[[ENDS]]
// CHECK: scf.for %[[K:.*]] = %c0{{.*}} to %[[LAST]]
// CHECK: %[[COUNT:.*]] = vector.broadcast %[[K]]
// CHECK: %[[THERE:.*]] = arith.cmpi slt, %[[COUNT]], %[[ENDS]] : vector<4xindex>
// CHECK: %[[OLD:.*]] = vector.load %[[OWN]][%[[K]]
// CHECK: %[[NEW:.*]] = arith.select %[[THERE]], %{{.*}}, %[[OLD]]
// CHECK: vector.store %[[NEW]], %[[OWN]][%[[K]]
// CHECK: %[[END:.*]] = vector.reduction <maxsi>, %[[ENDS]]
// CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %[[END]]
// CHECK: %[[LEFT:.*]] = arith.subi %[[END]], %[[J]]
// CHECK: arith.cmpi sge, %[[ENDS]], %{{.*}} : vector<4xindex>
// CHECK: %[[PLACE:.*]] = arith.subi %[[LEFT]], %c1
// CHECK: vector.load %[[OWN]][%[[PLACE]]
// CHECK: memref.dealloc %[[OWN]]
func.func @there_and_back(%a: memref<?xf64>, %ends: memref<?xindex>, %c: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %end = memref.load %ends[%i] : memref<?xindex>
    %own = memref.alloc(%end) : memref<?xf64>
    %found = scf.for %k = %c0 to %end step %c1 iter_args(%y = %x) -> f64 {
      %s = math.sin %y : f64
      memref.store %s, %own[%k] : memref<?xf64>
      scf.yield %s : f64
    }
    %last = arith.subi %end, %c1 : index
    %back = scf.for %k = %c0 to %end step %c1 iter_args(%b = %found) -> f64 {
      %place = arith.subi %last, %k : index
      %s = memref.load %own[%place] : memref<?xf64>
      %t = arith.mulf %s, %b : f64
      scf.yield %t : f64
    }
    memref.dealloc %own : memref<?xf64>
    memref.store %back, %c[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// Lanes that have left would read what there may not be.
// CHECK-LABEL: func.func @may_not_be_there
// CHECK-NOT: vector
// CHECK: return
func.func @may_not_be_there(%a: memref<?xf64>, %ends: memref<?xindex>, %c: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %end = memref.load %ends[%i] : memref<?xindex>
    %found = scf.for %k = %c0 to %end step %c1 iter_args(%y = %x) -> f64 {
      %j = arith.addi %i, %k : index
      %z = memref.load %a[%j] : memref<?xf64>
      %s = math.sin %y : f64
      %t = arith.mulf %s, %z : f64
      scf.yield %t : f64
    }
    memref.store %found, %c[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// Iterations that take about as long in one lane as in all of them.
// CHECK-LABEL: func.func @short_iterations
// CHECK-NOT: vector
// CHECK: return
func.func @short_iterations(%a: memref<?xf64>, %ends: memref<?xindex>, %c: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %end = memref.load %ends[%i] : memref<?xindex>
    %found = scf.for %k = %c0 to %end step %c1 iter_args(%y = %x) -> f64 {
      %t = arith.mulf %y, %x : f64
      scf.yield %t : f64
    }
    memref.store %found, %c[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}
