// From a file of StableHLO, and from linalg, to code of its gradient: pass by pass, and by the command that does it all.
// RUN: tapeless-opt --stablehlo-to-core --ad-wrap="infn=main outfn=df mode=vjp wrt=0,2 method=coarsened" %s | filecheck --check-prefix=ASKED %s
// RUN: tapeless-opt --stablehlo-to-core --ad-wrap="infn=main outfn=df mode=vjp wrt=0,2 method=coarsened" --cuda-nvvm --emit=ptx --target=cuda:sm_90 %s | filecheck --check-prefix=PTX %s
// RUN: tapeless-opt --stablehlo-to-core --ad-wrap="infn=main outfn=df" --cpu --emit=asm --target=aarch64 %s | filecheck --check-prefix=ARM %s
// RUN: tapeless-opt --stablehlo-to-core --ad-wrap="infn=main outfn=df" --cpu --emit=llvm-ir %s | filecheck --check-prefix=LLVM %s
// RUN: tapeless compile %s --jacrev --target cuda:sm_90 --emit ptx -o %t.ptx
// RUN: filecheck --input-file=%t.ptx --check-prefix=COMPILED %s
// RUN: tapeless compile %s:main --jacrev --argnums 0 -o %t.tlk
// RUN: python -c "import numpy as np, sys; np.savez(sys.argv[1], arg0=[1.0, 2.0], arg1=3, arg2=4.0)" %t.npz
// RUN: tapeless run %t.tlk --args %t.npz | filecheck --check-prefix=RAN %s
// RUN: sed 's/stablehlo.multiply %%x/stablehlo.fft %%x/; s/%%squares = .*/%%squares = stablehlo.cholesky %%x, lower = true : tensor<2xf64>/' %s | not tapeless-opt --stablehlo-to-core 2>&1 | filecheck --check-prefix=REFUSED %s

// ASKED: func.func @df(%arg0: tensor<2xf64>, %arg1: i64, %arg2: f64, %arg3: tensor<2xf64>)
// ASKED: "ad.vjp"({{.*}}) {callee = @main, method = "coarsened", operandSegmentSizes = array<i32: 3, 1>, wrt = [0, 2]}

// PTX: .target sm_90
// PTX: .visible .entry df_kernel0(

// ARM: .globl df__entry
// LLVM: define {{.*}} @df__entry(ptr

// COMPILED: .visible .entry jacrev_main_kernel0(

// RAN: result = {{.*}} 8. {{.*}}
// REFUSED: {{.*}}:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}}stablehlo.cholesky

func.func @main(%x: tensor<2xf64>, %n: tensor<i64>, %s: tensor<f64>) -> tensor<2xf64> {
  %squares = stablehlo.multiply %x, %x : tensor<2xf64>
  %scale = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f64>) -> tensor<2xf64>
  %y = stablehlo.multiply %squares, %scale : tensor<2xf64>
  return %y : tensor<2xf64>
}
