// Without checking, diagnostics show file, line, column, the line itself and a caret; good pieces are still printed.
// RUN: not tapeless-opt %s --split-input-file 2>&1 >/dev/null | filecheck %s
// RUN: not tapeless-opt %s --split-input-file 2>/dev/null | filecheck %s --check-prefix=OUTPUT
// RUN: not tapeless-opt %s --split-input-file -o %t.never 2>/dev/null
// RUN: not test -e %t.never

// OUTPUT: func.func @good
// OUTPUT-NOT: @bad
func.func @good() {
  return
}

// -----

// CHECK: diagnostics.mlir:20:3: error: 'func.return' op has 0 operands, but enclosing function (@bad) returns 1
// CHECK-NEXT: return
// CHECK-NEXT: ^
// CHECK-NEXT: diagnostics.mlir:20:3: note: see current operation: "func.return"() : () -> ()
func.func @bad() -> f64 {
  return
}
