// Argmin histograms become histograms of positions; with `joined`, extremes and positions of values of 32 bits become one
// histogram, outside of operators.
// RUN: tapeless-opt --soac-arg-histograms %s | filecheck %s
// RUN: tapeless-opt --soac-arg-histograms="joined=true" %s | filecheck --check-prefix=JOINED %s

// CHECK-LABEL: func.func @small(
// CHECK: %[[BEST:.*]] = "soac.hist"
// CHECK: %[[CLAIMED:.*]] = "soac.map"(%{{.*}}, %{{.*}}, %[[BEST]])
// CHECK: %[[FIRST:.*]] = "soac.fused_hist"
// CHECK: ^bb0(%[[I:.*]]: index, %{{.*}}: i32, %[[VALUE:.*]]: f32):
// CHECK: scf.if
// CHECK: %[[EXTREME:.*]] = tensor.extract %[[BEST]]
// CHECK: arith.cmpf oeq, %[[VALUE]], %[[EXTREME]]
// CHECK: tensor.extract %[[CLAIMED]]
// CHECK: arith.minsi
// CHECK-NOT: soac.arg_hist
// CHECK: return %[[BEST]], %[[FIRST]]
// JOINED-LABEL: func.func @small(
// JOINED-SAME: %[[KEYS:.*]]: tensor<?xi32>, %[[X:.*]]: tensor<?xf32>, %[[DEST:.*]]: tensor<?xf32>, %{{.*}}: index)
// JOINED: %[[NOBODY:.*]] = tensor.splat %c-1_i64
// JOINED: %[[BOTH:.*]]:2 = "soac.fused_hist"({{.*}}, %[[KEYS]], %[[X]], %[[DEST]], %[[NOBODY]]
// JOINED: ^bb0(%[[I:.*]]: index, %[[KEY:.*]]: i32, %[[VALUE:.*]]: f32):
// JOINED: %[[PLACE:.*]] = arith.index_cast %[[I]] : index to i64
// JOINED: "soac.yield"(%{{.*}}, %[[VALUE]], %[[PLACE]]) : (index, f32, i64)
// JOINED: ^bb0(%[[A:.*]]: f32, %[[AT_A:.*]]: i64, %[[B:.*]]: f32, %[[AT_B:.*]]: i64):
// JOINED: %[[BEST:.*]] = arith.minimumf %[[A]], %[[B]]
// JOINED: arith.minsi %[[AT_A]], %[[AT_B]]
// JOINED: soac.first = "min", soac.in_bounds
// JOINED-NOT: soac.fused_hist
// JOINED: return %[[BOTH]]#0, %[[BOTH]]#1
func.func @small(%keys: tensor<?xi32>, %x: tensor<?xf32>, %dest: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xi64>) {
  %inf = arith.constant 0x7F800000 : f32
  %h = "soac.hist"(%n, %keys, %dest, %x, %inf) ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.minimumf %a, %b : f32
    "soac.yield"(%m) : (f32) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>, soac.in_bounds} : (index, tensor<?xi32>, tensor<?xf32>, tensor<?xf32>, f32) -> tensor<?xf32>
  %first = "soac.arg_hist"(%keys, %x, %dest, %h) : (tensor<?xi32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xi64>
  return %h, %first : tensor<?xf32>, tensor<?xi64>
}

// Numbers of 64 bits do not fit into a word with their position.
// JOINED-LABEL: func.func @large(
// JOINED: "soac.hist"
// JOINED: "soac.fused_hist"
// JOINED-NOT: soac.arg_hist
func.func @large(%keys: tensor<?xi32>, %x: tensor<?xf64>, %dest: tensor<?xf64>, %n: index) -> (tensor<?xf64>, tensor<?xi64>) {
  %inf = arith.constant 0x7FF0000000000000 : f64
  %h = "soac.hist"(%n, %keys, %dest, %x, %inf) ({
  ^bb0(%a: f64, %b: f64):
    %m = arith.minimumf %a, %b : f64
    "soac.yield"(%m) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>, soac.in_bounds} : (index, tensor<?xi32>, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
  %first = "soac.arg_hist"(%keys, %x, %dest, %h) : (tensor<?xi32>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xi64>
  return %h, %first : tensor<?xf64>, tensor<?xi64>
}

// Extremes that are not found here are looked for.
// JOINED-LABEL: func.func @given(
// JOINED: "soac.fused_hist"
// JOINED-NOT: soac.first
func.func @given(%keys: tensor<?xi32>, %x: tensor<?xf32>, %dest: tensor<?xf32>, %best: tensor<?xf32>) -> tensor<?xi64> {
  %first = "soac.arg_hist"(%keys, %x, %dest, %best) : (tensor<?xi32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xi64>
  return %first : tensor<?xi64>
}
