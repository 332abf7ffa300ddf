// Sums of one loop that are added up in any order become one sum; others stay.
// RUN: tapeless-opt --soac-join-sums %s | filecheck %s
// RUN: tapeless-opt --fuse %s | filecheck %s

// CHECK-LABEL: func.func @any_order
// CHECK: %[[S:.*]] = "soac.fused"
// CHECK: %[[T:.*]] = arith.addf %{{.*}}, %{{.*}} fastmath<reassoc,contract>
// CHECK-NEXT: "soac.yield"(%[[T]]) : (f64) -> ()
// CHECK: arith.addf %{{.*}}, %[[S]] fastmath<reassoc,contract>
// CHECK-NEXT: return
func.func @any_order(%x: tensor<?xf64>, %a: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s:2 = "soac.fused"(%n, %x, %zero, %zero) ({
  ^bb0(%i: index, %u: f64):
    %p = math.sin %u : f64
    %q = math.cos %u : f64
    "soac.yield"(%p, %q) : (f64, f64) -> ()
  }, {
  ^bb0(%k: f64, %l: f64, %p: f64, %q: f64):
    %r = arith.addf %k, %p : f64
    %t = arith.addf %l, %q : f64
    "soac.yield"(%r, %t) : (f64, f64) -> ()
  }, {
  }) {operandSegmentSizes = array<i32: 1, 1, 2, 0>} : (index, tensor<?xf64>, f64, f64) -> (f64, f64)
  %1 = arith.addf %a, %s#0 fastmath<reassoc,contract> : f64
  %2 = arith.addf %1, %s#1 fastmath<reassoc,contract> : f64
  return %2 : f64
}

// The order of the additions is given, or one of the sums is used elsewhere too, or it is no sum.
// CHECK-LABEL: func.func @in_order
// CHECK: %{{.*}}:2 = "soac.fused"
func.func @in_order(%x: tensor<?xf64>, %a: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s:2 = "soac.fused"(%n, %x, %zero, %zero) ({
  ^bb0(%i: index, %u: f64):
    %p = math.sin %u : f64
    %q = math.cos %u : f64
    "soac.yield"(%p, %q) : (f64, f64) -> ()
  }, {
  ^bb0(%k: f64, %l: f64, %p: f64, %q: f64):
    %r = arith.addf %k, %p : f64
    %t = arith.addf %l, %q : f64
    "soac.yield"(%r, %t) : (f64, f64) -> ()
  }, {
  }) {operandSegmentSizes = array<i32: 1, 1, 2, 0>} : (index, tensor<?xf64>, f64, f64) -> (f64, f64)
  %1 = arith.addf %a, %s#0 : f64
  %2 = arith.addf %1, %s#1 fastmath<reassoc,contract> : f64
  return %2 : f64
}

// CHECK-LABEL: func.func @used_twice
// CHECK: %{{.*}}:2 = "soac.fused"
func.func @used_twice(%x: tensor<?xf64>) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s:2 = "soac.fused"(%n, %x, %zero, %zero) ({
  ^bb0(%i: index, %u: f64):
    %p = math.sin %u : f64
    %q = math.cos %u : f64
    "soac.yield"(%p, %q) : (f64, f64) -> ()
  }, {
  ^bb0(%k: f64, %l: f64, %p: f64, %q: f64):
    %r = arith.addf %k, %p : f64
    %t = arith.addf %l, %q : f64
    "soac.yield"(%r, %t) : (f64, f64) -> ()
  }, {
  }) {operandSegmentSizes = array<i32: 1, 1, 2, 0>} : (index, tensor<?xf64>, f64, f64) -> (f64, f64)
  %1 = arith.addf %s#0, %s#1 fastmath<reassoc,contract> : f64
  return %s#0, %1 : f64, f64
}

// CHECK-LABEL: func.func @no_sum
// CHECK: %{{.*}}:2 = "soac.fused"
func.func @no_sum(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s:2 = "soac.fused"(%n, %x, %zero, %zero) ({
  ^bb0(%i: index, %u: f64):
    %p = math.sin %u : f64
    %q = math.cos %u : f64
    "soac.yield"(%p, %q) : (f64, f64) -> ()
  }, {
  ^bb0(%k: f64, %l: f64, %p: f64, %q: f64):
    %r = arith.addf %k, %p : f64
    %t = arith.maximumf %l, %q : f64
    "soac.yield"(%r, %t) : (f64, f64) -> ()
  }, {
  }) {operandSegmentSizes = array<i32: 1, 1, 2, 0>} : (index, tensor<?xf64>, f64, f64) -> (f64, f64)
  %1 = arith.addf %s#0, %s#1 fastmath<reassoc,contract> : f64
  return %1 : f64
}

// What is not a sum from zero on stays as well.
// CHECK-LABEL: func.func @sum_from_one
// CHECK: %{{.*}}:2 = "soac.fused"
func.func @sum_from_one(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s:2 = "soac.fused"(%n, %x, %zero, %one) ({
  ^bb0(%i: index, %u: f64):
    %p = math.sin %u : f64
    %q = math.cos %u : f64
    "soac.yield"(%p, %q) : (f64, f64) -> ()
  }, {
  ^bb0(%k: f64, %l: f64, %p: f64, %q: f64):
    %r = arith.addf %k, %p : f64
    %t = arith.addf %l, %q : f64
    "soac.yield"(%r, %t) : (f64, f64) -> ()
  }, {
  }) {operandSegmentSizes = array<i32: 1, 1, 2, 0>} : (index, tensor<?xf64>, f64, f64) -> (f64, f64)
  %1 = arith.addf %s#0, %s#1 fastmath<reassoc,contract> : f64
  return %1 : f64
}
