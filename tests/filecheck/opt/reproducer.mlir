// A failure leaves a reproducer that runs the same pipeline again; a success leaves nothing.
// RUN: not tapeless-opt %s --allow-unregistered-dialect --cse --one-shot-bufferize --mlir-pass-pipeline-crash-reproducer=%t 2>&1 | filecheck %s
// RUN: filecheck %s --check-prefix=FILE < %t
// RUN: not tapeless-opt %t --run-reproducer --allow-unregistered-dialect 2>&1 | filecheck %s --check-prefix=AGAIN
// RUN: not tapeless-opt %s --allow-unregistered-dialect --cse --one-shot-bufferize --mlir-pass-pipeline-crash-reproducer=%t --mlir-pass-pipeline-local-reproducer 2>/dev/null
// RUN: filecheck %s --check-prefix=LOCAL < %t
// RUN: tapeless-opt %s --allow-unregistered-dialect --cse --mlir-pass-pipeline-crash-reproducer=%t -o /dev/null
// RUN: not test -e %t

// CHECK: error: op was not bufferized
// CHECK: note: the pipeline failed in pass 'one-shot-bufferize' on 'builtin.module'; reproducer generated at

// FILE: {-#
// FILE: mlir_reproducer: {
// FILE-NEXT: pipeline: "builtin.module(cse,one-shot-bufferize)",
// FILE-NEXT: disable_threading: true,
// FILE-NEXT: verify_each: true

// AGAIN: reproducer.mlir:{{[0-9]+}}:8: error: op was not bufferized

// LOCAL: pipeline: "builtin.module(one-shot-bufferize)",
func.func @f() {
  %0 = "test.source"() : () -> tensor<4xf32>
  return
}
