// Numbers without a sign: the calling contract says so, and no size of a result is told by one of them.
// RUN: tapeless-opt --loops %s | filecheck %s
// RUN: tapeless-opt --cpu %s | filecheck %s --check-prefix=LLVM

// CHECK: func.func @shifted
// CHECK-SAME: \22kind\22: \22array\22, \22dtype\22: \22u32\22, \22dims\22: [null]
// CHECK-SAME: \22kind\22: \22scalar\22, \22dtype\22: \22u32\22, \22dims\22: []
// CHECK-SAME: \22kind\22: \22scalar\22, \22dtype\22: \22i32\22, \22dims\22: []
// CHECK-SAME: \22results\22: [{\22kind\22: \22array\22, \22dtype\22: \22u32\22, \22place\22: \22out\22, \22dims\22: [[\22dim\22, 0, 0]]}
// CHECK-SAME: {\22kind\22: \22scalar\22, \22dtype\22: \22i32\22, \22place\22: \22value\22, \22dims\22: []}
// CHECK: arith.shrui
// LLVM: llvm.lshr
func.func @shifted(%x: tensor<?xi32> {tapeless.unsigned}, %by: i32 {tapeless.unsigned}, %n: i32) -> (tensor<?xi32> {tapeless.unsigned}, i32) {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xi32>
  %y = "soac.map"(%size, %x) ({
  ^bb0(%i: index, %a: i32):
    %moved = arith.shrui %a, %by : i32
    "soac.yield"(%moved) : (i32) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xi32>) -> tensor<?xi32>
  return %y, %n : tensor<?xi32>, i32
}

// The caller would take an argument without a sign for another number than the kernel does, which has it with one.
// CHECK: func.func @sized
// CHECK-SAME: \22results\22: [{\22kind\22: \22array\22, \22dtype\22: \22f64\22, \22place\22: \22allocated\22, \22dims\22: [null]}
func.func @sized(%n: i32 {tapeless.unsigned}, %a: f64) -> tensor<?xf64> {
  %size = arith.index_cast %n : i32 to index
  %y = tensor.splat %a[%size] : tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK: func.func @told
// CHECK-SAME: \22results\22: [{\22kind\22: \22array\22, \22dtype\22: \22f64\22, \22place\22: \22out\22, \22dims\22: [[\22arg\22, 0]]}
func.func @told(%n: i32, %a: f64) -> tensor<?xf64> {
  %size = arith.index_cast %n : i32 to index
  %y = tensor.splat %a[%size] : tensor<?xf64>
  return %y : tensor<?xf64>
}
