// Bytecode is written and read, and keeps locations.
// RUN: tapeless-opt %s --emit-bytecode -o %t.mlirbc && tapeless-opt %t.mlirbc --mlir-print-debuginfo | filecheck %s
// RUN: tapeless-opt %s --emit-bytecode | tapeless-opt --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// CHECK: func.func @f()
// CHECK: return loc(#[[PLACE:loc[0-9]*]])
// CHECK: #[[PLACE]] = loc("model.py":7:1)
// GENERIC: "func.func"()
func.func @f() {
  return loc("model.py":7:1)
}
