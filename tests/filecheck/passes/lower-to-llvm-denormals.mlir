// With flush-denormals the entry has the runtime take denormal numbers for zeros before it calls the kernel.
// RUN: tapeless-opt --lower-to-llvm="flush-denormals=true" %s | filecheck %s
// RUN: tapeless-opt --lower-to-llvm %s | filecheck %s --check-prefix=KEEP

// CHECK: llvm.func @tl_flush_denormals() attributes {passthrough = ["nounwind", "willreturn"]
// CHECK-LABEL: llvm.func @half__entry(
// CHECK-NEXT: llvm.call @tl_flush_denormals() : () -> ()
// CHECK: llvm.call @half(
// KEEP-NOT: tl_flush_denormals
func.func @half(%x: f64) -> f64 attributes {tapeless.abi = ""} {
  %c = arith.constant 0.5 : f64
  %y = arith.mulf %x, %c : f64
  return %y : f64
}
