// From a plain function to LLVM IR, assembly and an object file of its gradient, for processors that need not be here.
// RUN: tapeless-opt --ad-wrap="infn=f outfn=df mode=grad" --cpu --emit=llvm-ir --target=x86_64-avx2 %s | filecheck --check-prefix=LLVM %s
// RUN: tapeless-opt --ad-wrap="infn=f outfn=df mode=grad" --cpu --emit=asm --target=x86_64-avx2 %s | filecheck --check-prefix=X86 %s
// RUN: tapeless-opt --ad-wrap="infn=f outfn=df mode=grad" --cpu --emit=asm --target=aarch64 %s | filecheck --check-prefix=ARM %s
// RUN: tapeless-opt --ad-wrap="infn=f outfn=df mode=grad" --cpu --emit=obj %s -o %t.o
// RUN: python -c "import sys; data = open(sys.argv[1], 'rb').read(); print(data[:4], b'df__entry' in data)" %t.o | filecheck --check-prefix=OBJ %s
// RUN: tapeless-opt --pass-pipeline="builtin.module(cpu{threads=2 vector-bits=256})" --target=aarch64 --dump-pass-pipeline %s -o /dev/null 2>&1 | filecheck --check-prefix=WRITTEN %s

// LLVM: define {{.*}} @df__entry(ptr

// A register of this processor holds four numbers.
// X86: vmulpd {{.*}}%ymm
// X86: .globl df__entry

// ARM: fmul v{{[0-9]+}}.2d
// ARM: .globl df__entry

// OBJ: b'\x7fELF' True

// Options that are written stand above what the target says.
// WRITTEN: lower-vectorise{{.*}}vector-bits=256

func.func @f(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %cubes = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %square = arith.mulf %e, %e : f64
    %cube = arith.mulf %square, %e : f64
    "soac.yield"(%cube) : (f64) -> ()
  }) : (index, tensor<?xf64>) -> tensor<?xf64>
  %sum = "soac.reduce"(%n, %cubes, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) : (index, tensor<?xf64>, f64) -> f64
  return %sum : f64
}
