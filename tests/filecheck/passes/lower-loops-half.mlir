// Arrays of floats of 16 bits are handed over as their bits; the calling contract says which floats they are.
// RUN: tapeless-opt --loops %s | filecheck %s

// CHECK: func.func @doubled(%{{.*}}: memref<?xi16>, %{{.*}}: memref<?xi16>)
// CHECK-SAME: \22parameters\22: [{\22kind\22: \22array\22, \22dtype\22: \22bf16\22, \22dims\22: [null]}]
// CHECK-SAME: \22results\22: [{\22kind\22: \22array\22, \22dtype\22: \22f16\22, \22place\22: \22out\22
// CHECK: memref.load {{.*}} : memref<?xi16>
// CHECK: memref.store {{.*}} : memref<?xi16>
func.func @doubled(%x: tensor<?xi16> {tapeless.half = "bf16"}) -> (tensor<?xi16> {tapeless.half = "f16"}) {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xi16>
  %y = "soac.map"(%size, %x) ({
  ^bb0(%i: index, %a: i16):
    %b = arith.addi %a, %a : i16
    "soac.yield"(%b) : (i16) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xi16>) -> tensor<?xi16>
  return %y : tensor<?xi16>
}
