// ad-expand on operations that only move elements: their adjoints move them back.
// RUN: tapeless-opt --ad-expand --canonicalize --cse --soac-simplify --canonicalize --cse %s | filecheck %s

func.func private @joined(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %c = tensor.concat dim(0) %a, %b : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %c : tensor<?xf64>
}

// Each part gets its slice.
// CHECK-LABEL: func.func @joined_vjp(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?xf64>, %[[B:[^:]*]]: tensor<?xf64>, %[[BAR:[^:]*]]: tensor<?xf64>
// CHECK: %[[SIZE:.*]] = tensor.dim %[[A]]
// CHECK: %[[A_BAR:.*]] = tensor.extract_slice %[[BAR]][0] [%[[SIZE]]] [1]
// CHECK: %[[REST:.*]] = tensor.dim %[[B]]
// CHECK: %[[B_BAR:.*]] = tensor.extract_slice %[[BAR]][%[[SIZE]]] [%[[REST]]] [1]
// CHECK: return %[[A_BAR]], %[[B_BAR]]
func.func @joined_vjp(%a: tensor<?xf64>, %b: tensor<?xf64>, %bar: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = "ad.vjp"(%a, %b, %bar) {
    callee = @joined, wrt = [0, 1], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}

// CHECK-LABEL: func.func @joined_jvp(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?xf64>, %[[B:[^:]*]]: tensor<?xf64>, %[[DA:[^:]*]]: tensor<?xf64>,
// CHECK-SAME: %[[DB:[^:]*]]: tensor<?xf64>
// CHECK-NEXT: tensor.concat dim(0) %[[DA]], %[[DB]]
func.func @joined_jvp(%a: tensor<?xf64>, %b: tensor<?xf64>, %da: tensor<?xf64>, %db: tensor<?xf64>) -> (tensor<?xf64>) {
  %r:2 = "ad.jvp"(%a, %b, %da, %db) {
    callee = @joined, wrt = [0, 1], method = "redundant", operandSegmentSizes = array<i32: 2, 2>
  } : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @transposed(%a: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %b = "soac.transpose"(%a) {permutation = [1, 2, 0]} : (tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
  return %b : tensor<?x?x?xf64>
}

// The inverse permutation.
// CHECK-LABEL: func.func @transposed_vjp(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?x?xf64>, %[[BAR:[^:]*]]: tensor<?x?x?xf64>
// CHECK-NEXT: "soac.transpose"(%[[BAR]]) {permutation = [2, 0, 1]}
func.func @transposed_vjp(%a: tensor<?x?x?xf64>, %bar: tensor<?x?x?xf64>) -> (tensor<?x?x?xf64>) {
  %r:2 = "ad.vjp"(%a, %bar) {
    callee = @transposed, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (tensor<?x?x?xf64>, tensor<?x?x?xf64>) -> (tensor<?x?x?xf64>, tensor<?x?x?xf64>)
  return %r#1 : tensor<?x?x?xf64>
}

// CHECK-LABEL: func.func @transposed_jvp(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?x?xf64>, %[[DA:[^:]*]]: tensor<?x?x?xf64>
// CHECK-NEXT: "soac.transpose"(%[[DA]]) {permutation = [1, 2, 0]}
func.func @transposed_jvp(%a: tensor<?x?x?xf64>, %da: tensor<?x?x?xf64>) -> (tensor<?x?x?xf64>) {
  %r:2 = "ad.jvp"(%a, %da) {
    callee = @transposed, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (tensor<?x?x?xf64>, tensor<?x?x?xf64>) -> (tensor<?x?x?xf64>, tensor<?x?x?xf64>)
  return %r#1 : tensor<?x?x?xf64>
}

func.func private @turned(%a: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %b = "soac.reverse"(%a) {axis = 1 : i64} : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %b : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @turned_vjp(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xf64>, %[[BAR:[^:]*]]: tensor<?x?xf64>
// CHECK-NEXT: "soac.reverse"(%[[BAR]]) {axis = 1 : i64}
func.func @turned_vjp(%a: tensor<?x?xf64>, %bar: tensor<?x?xf64>) -> (tensor<?x?xf64>) {
  %r:2 = "ad.vjp"(%a, %bar) {
    callee = @turned, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (tensor<?x?xf64>, tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#1 : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @turned_jvp(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xf64>, %[[DA:[^:]*]]: tensor<?x?xf64>
// CHECK-NEXT: "soac.reverse"(%[[DA]]) {axis = 1 : i64}
func.func @turned_jvp(%a: tensor<?x?xf64>, %da: tensor<?x?xf64>) -> (tensor<?x?xf64>) {
  %r:2 = "ad.jvp"(%a, %da) {
    callee = @turned, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (tensor<?x?xf64>, tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#1 : tensor<?x?xf64>
}

func.func private @reshaped(%a: tensor<?x?xf64>, %shape: tensor<1xindex>) -> tensor<?xf64> {
  %b = tensor.reshape %a(%shape) : (tensor<?x?xf64>, tensor<1xindex>) -> tensor<?xf64>
  return %b : tensor<?xf64>
}

// The sizes are those of the array before.
// CHECK-LABEL: func.func @reshaped_vjp(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xf64>, %[[SHAPE:[^:]*]]: tensor<1xindex>, %[[BAR:[^:]*]]: tensor<?xf64>
// CHECK-DAG: %[[ROWS:.*]] = tensor.dim %[[A]], %c0
// CHECK-DAG: %[[COLUMNS:.*]] = tensor.dim %[[A]], %c1
// CHECK: %[[SIZES:.*]] = tensor.from_elements %[[ROWS]], %[[COLUMNS]]
// CHECK-NEXT: tensor.reshape %[[BAR]](%[[SIZES]])
func.func @reshaped_vjp(%a: tensor<?x?xf64>, %shape: tensor<1xindex>, %bar: tensor<?xf64>) -> (tensor<?x?xf64>) {
  %r:2 = "ad.vjp"(%a, %shape, %bar) {
    callee = @reshaped, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (tensor<?x?xf64>, tensor<1xindex>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>)
  return %r#1 : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @reshaped_jvp(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xf64>, %[[SHAPE:[^:]*]]: tensor<1xindex>, %[[DA:[^:]*]]: tensor<?x?xf64>
// CHECK-NEXT: tensor.reshape %[[DA]](%[[SHAPE]])
func.func @reshaped_jvp(%a: tensor<?x?xf64>, %shape: tensor<1xindex>, %da: tensor<?x?xf64>) -> (tensor<?xf64>) {
  %r:2 = "ad.jvp"(%a, %shape, %da) {
    callee = @reshaped, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (tensor<?x?xf64>, tensor<1xindex>, tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @filled(%x: f64, %n: index) -> tensor<?xf64> {
  %b = tensor.splat %x[%n] : tensor<?xf64>
  return %b : tensor<?xf64>
}

// Every element of a fill adds to the one value.
// CHECK-LABEL: func.func @filled_vjp(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[N:[^:]*]]: index, %[[BAR:[^:]*]]: tensor<?xf64>
// CHECK: "soac.reduce"(%{{.*}}, %[[BAR]], %{{.*}})
// CHECK: arith.addf
// CHECK-NOT: tensor.splat
func.func @filled_vjp(%x: f64, %n: index, %bar: tensor<?xf64>) -> (f64) {
  %r:2 = "ad.vjp"(%x, %n, %bar) {
    callee = @filled, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (f64, index, tensor<?xf64>) -> (tensor<?xf64>, f64)
  return %r#1 : f64
}

// CHECK-LABEL: func.func @filled_jvp(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[N:[^:]*]]: index, %[[DX:[^:]*]]: f64
// CHECK-NEXT: tensor.splat %[[DX]][%[[N]]]
func.func @filled_jvp(%x: f64, %n: index, %dx: f64) -> (tensor<?xf64>) {
  %r:2 = "ad.jvp"(%x, %n, %dx) {
    callee = @filled, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (f64, index, f64) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @literal(%x: f64, %y: f64) -> tensor<2xf64> {
  %b = tensor.from_elements %x, %y : tensor<2xf64>
  return %b : tensor<2xf64>
}

// CHECK-LABEL: func.func @literal_vjp(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[Y:[^:]*]]: f64, %[[BAR:[^:]*]]: tensor<2xf64>
// CHECK: %[[X_BAR:.*]] = tensor.extract %[[BAR]][%c0]
// CHECK-NEXT: %[[Y_BAR:.*]] = tensor.extract %[[BAR]][%c1]
// CHECK-NEXT: return %[[X_BAR]], %[[Y_BAR]]
func.func @literal_vjp(%x: f64, %y: f64, %bar: tensor<2xf64>) -> (f64, f64) {
  %r:3 = "ad.vjp"(%x, %y, %bar) {
    callee = @literal, wrt = [0, 1], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (f64, f64, tensor<2xf64>) -> (tensor<2xf64>, f64, f64)
  return %r#1, %r#2 : f64, f64
}

// CHECK-LABEL: func.func @literal_jvp(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[Y:[^:]*]]: f64, %[[DX:[^:]*]]: f64, %[[DY:[^:]*]]: f64
// CHECK-NEXT: tensor.from_elements %[[DX]], %[[DY]]
func.func @literal_jvp(%x: f64, %y: f64, %dx: f64, %dy: f64) -> (tensor<2xf64>) {
  %r:2 = "ad.jvp"(%x, %y, %dx, %dy) {
    callee = @literal, wrt = [0, 1], method = "redundant", operandSegmentSizes = array<i32: 2, 2>
  } : (f64, f64, f64, f64) -> (tensor<2xf64>, tensor<2xf64>)
  return %r#1 : tensor<2xf64>
}
