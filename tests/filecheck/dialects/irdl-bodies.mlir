// A stock mlir-opt that has read our IRDL takes operations with bodies once its verifier is off: IRDL has no word for
// terminators, without which it finds no end of a body. Without the IRDL it takes them as unregistered ones.
// REQUIRES: mlir-opt
// RUN: tapeless-opt --emit-irdl > %t.irdl
// RUN: %mlir_opt --irdl-file=%t.irdl --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=false --mlir-print-op-generic %s | filecheck %s
// RUN: %mlir_opt --allow-unregistered-dialect --mlir-print-op-generic %s | filecheck %s
// RUN: not %mlir_opt --irdl-file=%t.irdl %s 2>&1 | filecheck --check-prefix REFUSED %s

// REFUSED: block with no terminator, has "soac.yield"

// CHECK: "soac.reduce"(%{{.*}}, %{{.*}}, %{{.*}}) ({
// CHECK: "soac.yield"(%{{.*}}) : (f64) -> ()
// CHECK: }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
func.func @total(%n: index, %zero: f64, %row: tensor<?xf64>) -> f64 {
  %sum = "soac.reduce"(%n, %row, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %sum : f64
}
