// A request that is written by hand, without sizes of segments, wrt and method, all the way to assembly and PTX.
// RUN: tapeless-opt --cpu --emit=asm --target=x86_64-avx2 %s | filecheck --check-prefix=ASM %s
// RUN: tapeless-opt --cuda-nvvm --emit=ptx --target=cuda:sm_90 %s | filecheck --check-prefix=PTX %s
// RUN: tapeless-opt --cuda-nvvm --emit=plan --target=cuda:sm_90 %s | filecheck --check-prefix=PLAN %s
// RUN: tapeless-opt --core %s | filecheck --check-prefix=CORE %s
// Where several splits of the operands fit, nothing is made of them; that of a request follows from its function.
// RUN: not tapeless-opt --split-input-file --core %S/../dialects/missing-sizes.mlir 2>&1 | filecheck --check-prefix=SEVERAL %s

// ASM: vmulpd {{.*}}%ymm
// ASM: .globl df__entry

// PTX: .target sm_90
// PTX: .visible .entry df_kernel0(
// PTX: mul.{{(rn\.)?}}f64

// PLAN: "do": "launch", "kernel": "df_kernel0"

// CORE-LABEL: func.func @df(
// CORE-NOT: ad.vjp
// CORE: return


// SEVERAL: error: 'phi.adjoint' op lacks operandSegmentSizes, and more than one split fits; add operandSegmentSizes = array<i32: ...>

func.func private @f(%x: tensor<?xf64>, %s: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %square = arith.mulf %e, %e : f64
    %scaled = arith.mulf %square, %s : f64
    "soac.yield"(%scaled) : (f64) -> ()
  }) : (index, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
func.func @df(%x: tensor<?xf64>, %s: f64, %y_bar: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %r:3 = "ad.vjp"(%x, %s, %y_bar) {callee = @f} : (tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, f64)
  return %r#1, %r#2 : tensor<?xf64>, f64
}
