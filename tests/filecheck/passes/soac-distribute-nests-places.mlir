// The smallest element of an array and its first place are found in one loop.
// RUN: tapeless-opt --soac-distribute-nests %s | filecheck %s

// CHECK-LABEL: func.func @first
// CHECK: %[[BOTH:.*]]:2 = "soac.fused"(%[[N:.*]], %[[X:.*]], %{{.*}}, %[[N]])
// CHECK: ^bb0(%[[I:.*]]: index, %[[V:.*]]: f32):
// CHECK: "soac.yield"(%[[V]], %[[I]]) : (f32, index)
// CHECK: ^bb0(%[[A:.*]]: f32, %[[AT_A:.*]]: index, %[[B:.*]]: f32, %[[AT_B:.*]]: index):
// CHECK: %[[BEST:.*]] = arith.minimumf %[[A]], %[[B]]
// CHECK-DAG: arith.cmpf ueq, %[[A]], %[[BEST]]
// CHECK-DAG: arith.cmpf ueq, %[[B]], %[[BEST]]
// CHECK: arith.minsi %[[AT_A]], %[[AT_B]]
// CHECK: %[[IS:.*]] = arith.cmpf ord, %[[BOTH]]#0, %[[BOTH]]#0
// CHECK: %[[FIRST:.*]] = arith.select %[[IS]], %[[BOTH]]#1
// CHECK-NOT: soac.fused
// CHECK: return %[[FIRST]]
func.func @first(%n: index, %x: tensor<?xf32>) -> index {
  %inf = arith.constant 0x7F800000 : f32
  %m = "soac.reduce"(%n, %x, %inf) ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.minimumf %a, %b : f32
    "soac.yield"(%s) : (f32) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf32>, f32) -> f32
  %i = "soac.fused"(%n, %x, %n) ({
  ^bb0(%i: index, %v: f32):
    %is = arith.cmpf ueq, %v, %m : f32
    %p = arith.select %is, %i, %n : index
    "soac.yield"(%p) : (index) -> ()
  }, {
  ^bb0(%a: index, %b: index):
    %s = arith.minsi %a, %b : index
    "soac.yield"(%s) : (index) -> ()
  }, {
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?xf32>, index) -> index
  return %i : index
}

// Of several numbers, one is looked for.
// CHECK-LABEL: func.func @of_several
// CHECK: %[[ALL:.*]]:3 = "soac.fused"
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK: arith.select %{{.*}}, %[[ALL]]#2
// CHECK-NOT: soac.fused
// CHECK: return
func.func @of_several(%n: index, %x: tensor<?xf32>, %y: tensor<?xf32>) -> (f32, index) {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %both:2 = "soac.fused"(%n, %x, %y, %zero, %inf) ({
  ^bb0(%i: index, %v: f32, %w: f32):
    "soac.yield"(%v, %w) : (f32, f32) -> ()
  }, {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %s = arith.addf %a, %c : f32
    %l = arith.maximumf %b, %d : f32
    "soac.yield"(%s, %l) : (f32, f32) -> ()
  }, {
  }) {operandSegmentSizes = array<i32: 1, 2, 2, 0>} : (index, tensor<?xf32>, tensor<?xf32>, f32, f32) -> (f32, f32)
  %i = "soac.fused"(%n, %y, %n) ({
  ^bb0(%i: index, %v: f32):
    %is = arith.cmpf ueq, %v, %both#1 : f32
    %p = arith.select %is, %i, %n : index
    "soac.yield"(%p) : (index) -> ()
  }, {
  ^bb0(%a: index, %b: index):
    %s = arith.minsi %a, %b : index
    "soac.yield"(%s) : (index) -> ()
  }, {
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?xf32>, index) -> index
  return %both#0, %i : f32, index
}

// Another array than that of which it is the extreme.
// CHECK-LABEL: func.func @elsewhere
// CHECK: soac.reduce
// CHECK: soac.fused
func.func @elsewhere(%n: index, %x: tensor<?xf32>, %y: tensor<?xf32>) -> index {
  %inf = arith.constant 0x7F800000 : f32
  %m = "soac.reduce"(%n, %x, %inf) ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.minimumf %a, %b : f32
    "soac.yield"(%s) : (f32) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf32>, f32) -> f32
  %i = "soac.fused"(%n, %y, %n) ({
  ^bb0(%i: index, %v: f32):
    %is = arith.cmpf ueq, %v, %m : f32
    %p = arith.select %is, %i, %n : index
    "soac.yield"(%p) : (index) -> ()
  }, {
  ^bb0(%a: index, %b: index):
    %s = arith.minsi %a, %b : index
    "soac.yield"(%s) : (index) -> ()
  }, {
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?xf32>, index) -> index
  return %i : index
}
