// Calls of libdevice become intrinsics where the device has an instruction; memory of open size is external.
// RUN: tapeless-opt --lower-device-instructions %s | filecheck %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // CHECK: llvm.mlir.global external @__dynamic_shmem__0() {{.*}}: !llvm.array<0 x i8>
    llvm.mlir.global internal @__dynamic_shmem__0() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
    // CHECK: llvm.mlir.global internal @fixed()
    llvm.mlir.global internal @fixed() {addr_space = 3 : i32} : !llvm.array<8 x i8>
    llvm.func @__nv_sqrt(f64) -> f64
    llvm.func @__nv_fmaf(f32, f32, f32) -> f32
    llvm.func @__nv_sin(f64) -> f64
    // CHECK-LABEL: llvm.func @kernel(
    // CHECK-SAME: %[[X:[^:]*]]: f64, %[[Y:[^:]*]]: f32
    llvm.func @kernel(%x: f64, %y: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      // CHECK: %[[ROOT:.*]] = llvm.intr.sqrt(%[[X]])
      %r = llvm.call @__nv_sqrt(%x) : (f64) -> f64
      // CHECK: llvm.intr.fma(%[[Y]], %[[Y]], %[[Y]])
      %f = llvm.call @__nv_fmaf(%y, %y, %y) : (f32, f32, f32) -> f32
      // CHECK: llvm.call @__nv_sin(%[[ROOT]])
      %s = llvm.call @__nv_sin(%r) : (f64) -> f64
      llvm.store %s, %out : f64, !llvm.ptr
      llvm.return
    }
  }
}
