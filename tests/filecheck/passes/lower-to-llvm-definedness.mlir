// lower-to-llvm: bools are bytes of which any but 0 is true, and a constant that is no integer becomes one of them.
// RUN: tapeless-opt --lower-to-llvm %s | filecheck %s

// CHECK-LABEL: llvm.func internal @is_set(
// CHECK: %[[BYTE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i8) : i8
// CHECK: %[[TRUE:.*]] = llvm.icmp "ne" %[[BYTE]], %[[ZERO]] : i8
// CHECK: llvm.return %[[TRUE]] : i1
func.func @is_set(%bools: memref<?xi1>, %i: index) -> i1 attributes {tapeless.abi = "{}"} {
  %bit = memref.load %bools[%i] : memref<?xi1>
  return %bit : i1
}

// CHECK-LABEL: llvm.func internal @of_nan(
// CHECK: %[[ANY:.*]] = llvm.fptosi %{{.*}} : f64 to i64
// CHECK-NEXT: llvm.freeze %[[ANY]] : i64
// CHECK: llvm.fptosi %arg0 : f64 to i64
// CHECK-NOT: llvm.freeze
func.func @of_nan(%x: f64) -> (i64, i64) attributes {tapeless.abi = "{}"} {
  %nan = arith.constant 0x7FF8000000000000 : f64
  %some = arith.fptosi %nan : f64 to i64
  %other = arith.fptosi %x : f64 to i64
  return %some, %other : i64, i64
}
