// What kernels call are functions of libdevice; questions about floats are comparisons.
// RUN: tapeless-opt --lower-device-math %s | filecheck %s

module attributes {gpu.container_module} {
  // CHECK: gpu.module @kernels
  gpu.module @kernels {
    // CHECK: llvm.func @__nv_tgamma(f64) -> f64
    func.func private @tgamma(f64) -> f64
    func.func private @own(%x: f64) -> f64 {
      return %x : f64
    }
    // CHECK: gpu.func @kernel(
    gpu.func @kernel(%x: f64, %y: !llvm.ptr) kernel {
      // CHECK: llvm.call @__nv_tgamma(%[[X:.*]]) : (f64) -> f64
      %g = func.call @tgamma(%x) : (f64) -> f64
      // CHECK: func.call @own
      %o = func.call @own(%g) : (f64) -> f64
      // CHECK: arith.cmpf uno, %[[X]], %[[X]]
      %nan = math.isnan %x : f64
      // CHECK: %[[SIZE:.*]] = math.absf %[[X]]
      // CHECK: %[[INF:.*]] = arith.constant 0x7FF0000000000000
      // CHECK: arith.cmpf olt, %[[SIZE]], %[[INF]]
      %finite = math.isfinite %x : f64
      // CHECK: arith.cmpf oeq
      %infinite = math.isinf %x : f64
      %both = arith.ori %nan, %finite : i1
      %all = arith.ori %both, %infinite : i1
      %z = arith.select %all, %o, %x : f64
      llvm.store %z, %y : f64, !llvm.ptr
      gpu.return
    }
  }
  // The host is left as it is.
  // CHECK: func.func private @tgamma(f64) -> f64
  func.func private @tgamma(f64) -> f64
  // CHECK: func.func @host
  func.func @host(%x: f64) -> i1 {
    // CHECK: math.isnan
    %nan = math.isnan %x : f64
    return %nan : i1
  }
}
