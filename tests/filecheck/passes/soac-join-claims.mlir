// The smallest values of bins and the first places where they are become one histogram, if values have 32 bits.
// RUN: tapeless-opt --soac-join-claims %s | filecheck %s

// CHECK-LABEL: func.func @joined
// CHECK-SAME: (%[[KEYS:.*]]: tensor<?xi32>, %[[X:.*]]: tensor<?xf32>, %[[DEST:.*]]: tensor<?xf32>
// CHECK: %[[NOBODY:.*]] = tensor.splat %c-1_i64
// CHECK: %[[BOTH:.*]]:2 = "soac.fused_hist"({{.*}}, %[[KEYS]], %[[X]], %[[DEST]], %[[NOBODY]]
// CHECK: ^bb0(%[[I:.*]]: index, %[[KEY:.*]]: i32, %[[VALUE:.*]]: f32):
// CHECK: %[[PLACE:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK: "soac.yield"(%{{.*}}, %[[VALUE]], %[[PLACE]]) : (index, f32, i64)
// CHECK: ^bb0(%[[A:.*]]: f32, %[[AT_A:.*]]: i64, %[[B:.*]]: f32, %[[AT_B:.*]]: i64):
// CHECK: %[[BEST:.*]] = arith.minimumf %[[A]], %[[B]]
// CHECK: arith.minsi %[[AT_A]], %[[AT_B]]
// CHECK: soac.in_bounds
// CHECK-NOT: soac.fused_hist
// CHECK: tensor.extract %[[BOTH]]#1
// CHECK: return
func.func @joined(%keys: tensor<?xi32>, %x: tensor<?xf32>, %dest: tensor<?xf32>, %n: index, %bins: index) -> tensor<?xi1> {
  %inf = arith.constant 0x7F800000 : f32
  %none = arith.constant 9223372036854775807 : i64
  %h = "soac.hist"(%n, %keys, %dest, %x, %inf) ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.minimumf %a, %b : f32
    "soac.yield"(%m) : (f32) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>, soac.in_bounds} : (index, tensor<?xi32>, tensor<?xf32>, tensor<?xf32>, f32) -> tensor<?xf32>
  %taken = "soac.map"(%bins, %dest, %h) ({
  ^bb0(%i: index, %d: f32, %e: f32):
    %is = arith.cmpf oeq, %d, %e : f32
    "soac.yield"(%is) : (i1) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  %start = tensor.splat %none[%bins] : tensor<?xi64>
  %first = "soac.fused_hist"(%n, %keys, %x, %start, %none) ({
  ^bb0(%i: index, %key: i32, %value: f32):
    %k = arith.index_cast %key : i32 to index
    %inside = arith.cmpi ult, %k, %bins : index
    %p = scf.if %inside -> (i64) {
      %e = tensor.extract %h[%k] : tensor<?xf32>
      %is = arith.cmpf oeq, %value, %e : f32
      %t = tensor.extract %taken[%k] : tensor<?xi1>
      %number = arith.index_cast %i : index to i64
      %found = arith.select %is, %number, %none : i64
      %own = arith.select %t, %none, %found : i64
      scf.yield %own : i64
    } else {
      scf.yield %none : i64
    }
    "soac.yield"(%k, %p) : (index, i64) -> ()
  }, {
  ^bb0(%a: i64, %b: i64):
    %m = arith.minsi %a, %b : i64
    "soac.yield"(%m) : (i64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 1, 1>} : (index, tensor<?xi32>, tensor<?xf32>, tensor<?xi64>, i64) -> tensor<?xi64>
  %r = "soac.map"(%n, %keys) ({
  ^bb0(%i: index, %key: i32):
    %k = arith.index_cast %key : i32 to index
    %p = tensor.extract %first[%k] : tensor<?xi64>
    %number = arith.index_cast %i : index to i64
    %is = arith.cmpi eq, %p, %number : i64
    "soac.yield"(%is) : (i1) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xi32>) -> tensor<?xi1>
  return %r : tensor<?xi1>
}

// Places that something else looks at stay what they are.
// CHECK-LABEL: func.func @returned
// CHECK: "soac.hist"
// CHECK: "soac.fused_hist"
func.func @returned(%keys: tensor<?xi32>, %x: tensor<?xf32>, %dest: tensor<?xf32>, %n: index, %bins: index) -> tensor<?xi64> {
  %inf = arith.constant 0x7F800000 : f32
  %none = arith.constant 9223372036854775807 : i64
  %h = "soac.hist"(%n, %keys, %dest, %x, %inf) ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.minimumf %a, %b : f32
    "soac.yield"(%m) : (f32) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, tensor<?xi32>, tensor<?xf32>, tensor<?xf32>, f32) -> tensor<?xf32>
  %taken = "soac.map"(%bins, %dest, %h) ({
  ^bb0(%i: index, %d: f32, %e: f32):
    %is = arith.cmpf oeq, %d, %e : f32
    "soac.yield"(%is) : (i1) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  %start = tensor.splat %none[%bins] : tensor<?xi64>
  %first = "soac.fused_hist"(%n, %keys, %x, %start, %none) ({
  ^bb0(%i: index, %key: i32, %value: f32):
    %k = arith.index_cast %key : i32 to index
    %inside = arith.cmpi ult, %k, %bins : index
    %p = scf.if %inside -> (i64) {
      %e = tensor.extract %h[%k] : tensor<?xf32>
      %is = arith.cmpf oeq, %value, %e : f32
      %t = tensor.extract %taken[%k] : tensor<?xi1>
      %number = arith.index_cast %i : index to i64
      %found = arith.select %is, %number, %none : i64
      %own = arith.select %t, %none, %found : i64
      scf.yield %own : i64
    } else {
      scf.yield %none : i64
    }
    "soac.yield"(%k, %p) : (index, i64) -> ()
  }, {
  ^bb0(%a: i64, %b: i64):
    %m = arith.minsi %a, %b : i64
    "soac.yield"(%m) : (i64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 1, 1>} : (index, tensor<?xi32>, tensor<?xf32>, tensor<?xi64>, i64) -> tensor<?xi64>
  return %first : tensor<?xi64>
}
