// IR is printed before and after the passes asked for.
// RUN: tapeless-opt %s --cse --canonicalize --mlir-print-ir-before=cse --mlir-print-ir-after=canonicalize -o /dev/null 2>&1 | filecheck %s
// RUN: tapeless-opt %s --cse --cse --soac-simplify --mlir-print-ir-after-all --mlir-print-ir-after-change -o /dev/null 2>&1 | filecheck %s --check-prefix=CHANGE
// RUN: tapeless-opt %s --buffer-hoisting --mlir-print-ir-before-all -o /dev/null 2>&1 | filecheck %s --check-prefix=NESTED
// RUN: rm -rf %t && tapeless-opt %s --pass-pipeline='any(func.func(cse),canonicalize)' --mlir-print-ir-after-all --mlir-print-ir-tree-dir=%t -o /dev/null
// RUN: filecheck %s --check-prefix=TREE < %t/builtin_module_no-symbol-name/func_func_f/0_cse.mlir
// RUN: test -f %t/builtin_module_no-symbol-name/1_canonicalize.mlir

// CHECK: IR Dump Before cse //
// CHECK-COUNT-2: arith.addf
// CHECK-NOT: IR Dump After cse
// CHECK: IR Dump After canonicalize //
// CHECK-COUNT-1: arith.addf

// CHANGE: IR Dump After cse //
// CHANGE-NOT: IR Dump

// NESTED: IR Dump Before buffer-hoisting: 'func.func' operation: @f //
// NESTED-NEXT: func.func @f

// TREE: IR Dump After cse: 'func.func' operation: @f //
// TREE: func.func @f
func.func @f(%x: f64) -> f64 {
  %a = arith.addf %x, %x : f64
  %b = arith.addf %x, %x : f64
  %c = arith.mulf %a, %b : f64
  return %c : f64
}
