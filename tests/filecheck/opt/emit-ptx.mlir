// From a plain function to the PTX of its gradient, by each method: every pass on the way is in the pipeline.
// RUN: tapeless-opt --ad-wrap="infn=f outfn=df mode=grad" --cuda-nvvm --target=cuda:sm_90 %s -o %t.mlir
// RUN: filecheck --input-file=%t.mlir --check-prefix=NVVM %s
// RUN: tapeless-opt --emit=ptx --target=cuda:sm_90 %t.mlir | filecheck --check-prefix=PTX %s
// RUN: tapeless-opt --emit=asm --target=cuda:sm_80 %t.mlir | filecheck --check-prefix=OLDER %s
// RUN: tapeless-opt --emit=llvm-ir %t.mlir | filecheck --check-prefix=LLVM %s
// RUN: tapeless-opt --emit=plan %t.mlir | filecheck --check-prefix=PLAN %s
// RUN: tapeless-opt --ad-wrap="mode=grad method=reversible" --cuda-nvvm --emit=ptx --target=cuda:sm_90 %s | filecheck --check-prefix=OTHERS %s
// RUN: tapeless-opt --ad-wrap="mode=grad method=coarsened" --cuda-nvvm --emit=ptx --target=cuda:sm_90 %s | filecheck --check-prefix=OTHERS %s
// RUN: tapeless-opt --cuda --nvvm --emit=ptx --target=cuda:sm_90 %s | filecheck --check-prefix=VALUE %s

// NVVM: gpu.module @kernels
// NVVM: llvm.func @df_kernel0({{.*}}nvvm.kernel
// NVVM: nvvm.read.ptx.sreg.tid.x
// NVVM: llvm.intr.sqrt

// PTX: .target sm_90
// PTX: .visible .entry df_kernel0(
// PTX: sqrt.rn.f64

// OLDER: .target sm_80

// LLVM: define ptx_kernel void @df_kernel0(
// LLVM: call i32 @llvm.nvvm.read.ptx.sreg.tid.x()

// PLAN: {"version": 1, "kernels": {"df_kernel0": {"parameters": [

// OTHERS: .visible .entry f_grad_kernel0(

// VALUE: .visible .entry f_kernel0(

func.func @f(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %roots = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %root = math.sqrt %e : f64
    "soac.yield"(%root) : (f64) -> ()
  }) : (index, tensor<?xf64>) -> tensor<?xf64>
  %sum = "soac.reduce"(%n, %roots, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) : (index, tensor<?xf64>, f64) -> f64
  return %sum : f64
}
