// Passes that a pass runs itself are printed and timed like others.
// RUN: tapeless-opt %s --ad-expand --mlir-print-ir-after-all -o /dev/null 2>&1 | filecheck %s
// RUN: tapeless-opt %s --cpu --mlir-timing -o /dev/null 2>&1 | filecheck %s --check-prefix=TIMES
// RUN: not tapeless-opt %s --coarsened-metal 2>&1 | filecheck %s --check-prefix=MISSING

// CHECK: IR Dump After ad-unroll: 'func.func' operation: @square //
// CHECK: IR Dump After ad-normalise: 'func.func' operation: @square //
// CHECK: IR Dump After ad-while-to-for: 'func.func' operation: @square //
// CHECK: IR Dump After soac-inline //
// CHECK: IR Dump After canonicalize //
// CHECK: IR Dump After cse //
// CHECK: IR Dump After soac-simplify //
// CHECK: IR Dump After ad-share-seeds //
// CHECK: IR Dump After ad-expand //

// TIMES-NOT: lower-fastmath
// TIMES: ad-expand
// TIMES: ad-lift
// TIMES: ad-share-seeds
// TIMES: soac-arg-histograms
// TIMES-NEXT: soac-hoist-elements
// TIMES-NEXT: soac-gather-before-map
// TIMES-NEXT: soac-minimise-checkpoints
// TIMES-NEXT: soac-reduce-accumulations
// TIMES: soac-fuse
// TIMES-NEXT: soac-sink
// TIMES-NEXT: soac-merge-loops
// TIMES-NEXT: canonicalize
// TIMES-NEXT: cse
// TIMES-NEXT: soac-merge-duplicates
// TIMES-NEXT: soac-fuse-sequential-loops
// TIMES: lower-loops

// MISSING: there is no pipeline 'coarsened-metal'; pipelines are core, fuse, {{.*}}cpu, {{.*}}cpu-sequential
func.func private @square(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
// With numbers alone, passes on arrays would not run.
func.func @gradient(%x: f64, %seed: f64, %array: tensor<3xf64>) -> f64 {
  %r:2 = "ad.vjp"(%x, %seed) {
    callee = @square, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f64, f64) -> (f64, f64)
  return %r#1 : f64
}
