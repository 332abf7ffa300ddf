// A stock mlir-opt that has read our IRDL knows the operations without bodies, and the types and attributes.
// REQUIRES: mlir-opt
// RUN: tapeless-opt --emit-irdl > %t.irdl
// RUN: filecheck --check-prefix DEFINED %s < %t.irdl
// RUN: %mlir_opt --irdl-file=%t.irdl %s | filecheck %s

// DEFINED: irdl.operation @fused {
// DEFINED: irdl.regions(
// DEFINED: irdl.dialect @rev

// CHECK-LABEL: func.func @known(
// CHECK: "soac.transpose"(%{{.*}}) {permutation = [1, 0]} : (tensor<?x3xf64>) -> tensor<3x?xf64>
// CHECK: "soac.update"(%{{.*}}, %{{.*}}, %{{.*}}) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
// CHECK: "phi.mono"(%{{.*}}) {coeff = 3 : i64, exps = [#phi.rat<-1 : i64, 2 : i64>]} : (f64) -> f64
// CHECK: "ad.stop_gradient"(%{{.*}}) : (f64) -> f64
// CHECK: "rev.push"(%{{.*}}, %{{.*}}) {mode = "move"} : (!rev.stack<f64>, memref<f64>) -> ()
func.func @known(%m: tensor<?x3xf64>, %acc: !soac.acc<tensor<?xf64>>, %i: index, %c: f64,
                 %stack: !rev.stack<f64>, %y: memref<f64>) {
  %t = "soac.transpose"(%m) {permutation = [1, 0]} : (tensor<?x3xf64>) -> tensor<3x?xf64>
  %next = "soac.update"(%acc, %i, %c) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
  %p = "phi.mono"(%c) {exps = [#phi.rat<-1 : i64, 2 : i64>], coeff = 3 : i64} : (f64) -> f64
  %s = "ad.stop_gradient"(%p) : (f64) -> f64
  "rev.push"(%stack, %y) {mode = "move"} : (!rev.stack<f64>, memref<f64>) -> ()
  return
}
