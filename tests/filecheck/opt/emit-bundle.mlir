// From a plain module to a bundle of its gradient, for processors and GPUs that need not be here.
// RUN: tapeless-opt --ad-wrap="infn=f outfn=df mode=grad" --cpu --emit=bundle %s -o %t.tlk
// RUN: tapeless inspect %t.tlk | filecheck --check-prefix=HERE %s
// RUN: python -c "import sys, numpy as np, tapeless as tl; df = tl.load(sys.argv[1]); print(df(x=np.array([3.0, 0.0]), scale=0.5))" %t.tlk | filecheck --check-prefix=RUNS %s
// RUN: tapeless-opt --ad-wrap="infn=f outfn=df mode=grad method=coarsened" --cpu --target=aarch64 --emit=bundle %s -o %t-arm.tlk
// RUN: tapeless inspect %t-arm.tlk | filecheck --check-prefix=ARM %s
// RUN: tapeless-opt --ad-wrap="infn=f outfn=df mode=value_and_grad wrt=0" --cuda-nvvm --target=cuda:sm_90 %s -o %t.nvvm.mlir
// RUN: tapeless-opt --emit=bundle --target=cuda:sm_90 %t.nvvm.mlir -o %t-gpu.tlk
// RUN: tapeless inspect %t-gpu.tlk | filecheck --check-prefix=GPU %s
// RUN: tapeless extract %t-gpu.tlk --target cuda:sm_90 -o %t.parts
// RUN: filecheck --input-file=%t.parts/kernels.ptx --check-prefix=PTX %s

// HERE: df(x: tl.f64[:], scale: tl.f64) -> (tl.f64[:], tl.f64)
// HERE-NEXT: from {{.*}}emit-bundle.mlir:{{[0-9]+}}; threads 1, checks off
// HERE-NEXT: native (cpu): runs here
// HERE-NEXT: in C: tapeless_df

// RUNS: (array([3., 0.]), 9.0)

// ARM: df(x: tl.f64[:], scale: tl.f64) -> (tl.f64[:], tl.f64)
// ARM: aarch64 (cpu)

// GPU: df(x: tl.f64[:], scale: tl.f64) -> (tl.f64, tl.f64[:])
// GPU: cuda:sm_90 (cuda)
// GPU: kernels.ptx
// GPU: plan.json

// PTX: .visible .entry df_kernel0(

func.func @f(%x: tensor<?xf64> loc("x"), %scale: f64 loc("scale")) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %squares = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %square = arith.mulf %e, %e : f64
    "soac.yield"(%square) : (f64) -> ()
  }) : (index, tensor<?xf64>) -> tensor<?xf64>
  %sum = "soac.reduce"(%n, %squares, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) : (index, tensor<?xf64>, f64) -> f64
  %y = arith.mulf %sum, %scale : f64
  return %y : f64
}
