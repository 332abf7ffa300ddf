// The result of a map takes the place of an input that nothing needs afterwards, element by element.
// RUN: tapeless-opt --lower-loops %s | filecheck %s

// The sums are made where the result ends, and divided there.
// CHECK-LABEL: func.func @means
// CHECK-SAME: f64, %[[OUT:[^:]*]]: memref<?xf64>)
// CHECK-NOT: memref.alloc
// CHECK: memref.store %{{.*}}, %[[OUT]]
// CHECK: vector.store %{{.*}}, %[[OUT]]
// CHECK: %[[S:.*]] = memref.load %[[OUT]][%[[I:.*]]]
// CHECK-NEXT: %[[M:.*]] = arith.mulf %[[S]]
// CHECK-NEXT: memref.store %[[M]], %[[OUT]][%[[I]]]
func.func @means(%x: tensor<?xf64>, %weight: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %sums = "soac.scan"(%n, %x, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = false, reverse = false}
    : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  %means = "soac.map"(%n, %sums) ({
  ^bb0(%i: index, %s: f64):
    %m = arith.mulf %s, %weight : f64
    "soac.yield"(%m) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %means : tensor<?xf64>
}

// Here an iteration also reads the element before its own, which would be gone.
// CHECK-LABEL: func.func @differences
// CHECK: %[[SUMS:.*]] = memref.alloc
// CHECK: memref.load %[[SUMS]]
func.func @differences(%x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %sums = "soac.scan"(%n, %x, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = false, reverse = false}
    : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  %d = "soac.map"(%n, %sums) ({
  ^bb0(%i: index, %s: f64):
    %j = arith.subi %i, %c1 : index
    %k = arith.maxsi %j, %c0 : index
    %before = tensor.extract %sums[%k] : tensor<?xf64>
    %m = arith.subf %s, %before : f64
    "soac.yield"(%m) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %d : tensor<?xf64>
}

// Arguments belong to the caller, and what is read later stays.
// CHECK-LABEL: func.func @kept
// CHECK: memref.alloc
func.func @kept(%x: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %e = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %s: f64):
    %m = math.exp %s : f64
    "soac.yield"(%m) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %q = "soac.map"(%n, %e) ({
  ^bb0(%i: index, %s: f64):
    %m = arith.mulf %s, %s : f64
    "soac.yield"(%m) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %first = tensor.extract %e[%c0] : tensor<?xf64>
  return %q, %first : tensor<?xf64>, f64
}
