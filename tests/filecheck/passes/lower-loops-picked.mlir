// A map that is a constant but where a table says: on GPUs, only places that the table holds are computed.
// RUN: tapeless-opt --loops="target=cuda" %s | filecheck %s

// CHECK-LABEL: func.func {{.*}}@picked
// CHECK: arith.cmpi sle
// CHECK: scf.if
// CHECK: memref.store %cst
// CHECK: tapeless.launch
// CHECK: memref.load
// CHECK: arith.cmpi ult
// CHECK: scf.if
// CHECK: tapeless.launch
// CHECK: else
// CHECK: tapeless.launch
func.func @picked(%n: index, %table: tensor<?xi64>, %keys: tensor<?xindex>, %seed: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %y = "soac.map"(%n, %keys) ({
  ^bb0(%i: index, %k: index):
    %held = tensor.extract %table[%k] : tensor<?xi64>
    %number = arith.index_cast %i : index to i64
    %is_it = arith.cmpi eq, %held, %number : i64
    %s = tensor.extract %seed[%k] : tensor<?xf64>
    %v = arith.select %is_it, %s, %zero : f64
    "soac.yield"(%v) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xindex>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
