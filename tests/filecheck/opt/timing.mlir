// Times are reported nested as the pipeline is, or as a sorted list.
// RUN: tapeless-opt %s --pass-pipeline='any(cse,func.func(canonicalize,soac-simplify))' --mlir-timing -o /dev/null 2>&1 | filecheck %s
// RUN: tapeless-opt %s --cse --canonicalize --cse --mlir-timing --mlir-timing-display=list -o /dev/null 2>&1 | filecheck %s --check-prefix=LIST

// CHECK: Execution time report
// CHECK: Total Execution Time: {{[0-9.]+}} seconds
// CHECK: {{[0-9.]+}} ({{ *[0-9.]+}}%) Parser
// CHECK-NEXT: cse
// CHECK-NEXT: 'func.func' Pipeline
// CHECK-NEXT: canonicalize
// CHECK-NEXT: soac-simplify
// CHECK-NEXT: canonicalize
// CHECK-NEXT: cse
// CHECK-NEXT: Output
// CHECK-NEXT: Rest
// CHECK-NEXT: (100.0%) Total

// LIST-COUNT-1: cse
// LIST-NOT: cse
func.func @f() {
  return
}
