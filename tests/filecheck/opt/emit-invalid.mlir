// Code is made of modules that the passes have taken all the way; what is missing is said.
// RUN: not tapeless-opt --emit=asm %s 2>&1 | filecheck --check-prefix=CORE %s
// RUN: not tapeless-opt --cuda --emit=ptx %s 2>&1 | filecheck --check-prefix=KERNELS %s
// RUN: not tapeless-opt --cpu --emit=ptx %s 2>&1 | filecheck --check-prefix=HOST %s
// RUN: not tapeless-opt --cuda-nvvm --emit=obj %s 2>&1 | filecheck --check-prefix=DEVICE %s
// RUN: not tapeless-opt --cpu --emit=asm --target=cuda:sm_90 %s 2>&1 | filecheck --check-prefix=PIPELINE %s
// RUN: not tapeless-opt --pass-pipeline="builtin.module(core)" --emit=asm --target=cuda:sm_90 %s 2>&1 | filecheck --check-prefix=MACHINE %s
// RUN: not tapeless-opt --cuda-nvvm --emit=ptx --target=cuda:sm_9 %s 2>&1 | filecheck --check-prefix=TARGET %s
// RUN: not tapeless-opt --emit=bundle %s 2>&1 | filecheck --check-prefix=BUNDLE %s
// RUN: not tapeless-opt --cuda --emit=bundle %s 2>&1 | filecheck --check-prefix=KERNELS %s
// RUN: not tapeless-opt --cpu --emit=bundle --split-input-file %s 2>&1 | filecheck --check-prefix=BUNDLES %s
// RUN: sed 's/^}/} func.func @g(%%x: f64) -> f64 { return %%x : f64 }/' %s | not tapeless-opt --cpu --emit=bundle 2>&1 | filecheck --check-prefix=SEVERAL %s
// RUN: tapeless-opt --cpu %s | sed 's/tapeless.interface/tapeless.other/' | not tapeless-opt --emit=bundle 2>&1 | filecheck --check-prefix=UNNAMED %s
// RUN: not tapeless-opt --cpu --emit=obj --split-input-file %s 2>&1 | filecheck --check-prefix=SPLIT %s
// RUN: not tapeless-opt --cpu --emit=asm --emit-bytecode %s 2>&1 | filecheck --check-prefix=BYTECODE %s
// RUN: not tapeless-opt --emit=elf %s 2>&1 | filecheck --check-prefix=KIND %s

// CORE: emit-invalid.mlir:32:1: error: 'func.func' op is not of the llvm dialect; run --cpu before code is emitted
// KERNELS: error: 'gpu.func' op is not of the llvm dialect; run --cuda-nvvm before code is emitted
// HOST: error: 'builtin.module' op has code for cpu, which is no ptx; emit llvm-ir or asm or obj, or run --cuda-nvvm for ptx
// DEVICE: error: 'builtin.module' op has code for cuda, which is no obj; emit llvm-ir or asm or ptx or plan, or run --cpu for obj
// PIPELINE: tapeless-opt: error: the pipeline 'cpu' makes no code for cuda:sm_90; give another target
// MACHINE: error: 'builtin.module' op has code for cpu, and the target is cuda:sm_90
// TARGET: tapeless-opt: error: unknown target 'cuda:sm_9'; did you mean 'cuda:sm_90'?
// BUNDLE: error: 'builtin.module' op has no function to call; run --cpu before a bundle is made
// SEVERAL: error: 'builtin.module' op has the functions @f, @g, and a bundle has one; make the others private before --cpu
// UNNAMED: error: 'llvm.func' op has no tapeless.interface; run --cpu, which leaves it there
// BUNDLES: tapeless-opt: error: '--emit=bundle' writes one bundle; leave out '--split-input-file'
// SPLIT: tapeless-opt: error: '--emit=obj' writes one object file; leave out '--split-input-file'
// BYTECODE: tapeless-opt: error: '--emit' writes code and '--emit-bytecode' IR; leave out one of them
// KIND: tapeless-opt: error: Invalid value for '--emit': 'elf' is not one of 'llvm-ir', 'asm', 'obj', 'ptx', 'plan', 'bundle'.
func.func @f(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
