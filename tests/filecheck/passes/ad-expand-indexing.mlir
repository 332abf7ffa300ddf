// ad-expand on reads and writes of elements and slices.
// RUN: tapeless-opt --ad-expand --canonicalize --cse --soac-simplify --canonicalize --cse %s | filecheck %s

func.func private @element(%a: tensor<?xf64>, %i: index) -> f64 {
  %x = tensor.extract %a[%i] : tensor<?xf64>
  return %x : f64
}

// The adjoint of an element is added at its place.
// CHECK-LABEL: func.func @element_vjp(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?xf64>, %[[I:[^:]*]]: index, %[[BAR:[^:]*]]: f64
// CHECK: %[[ZEROS:.*]] = tensor.splat
// CHECK: tensor.insert %{{.*}} into %[[ZEROS]][%[[I]]]
func.func @element_vjp(%a: tensor<?xf64>, %i: index, %bar: f64) -> (tensor<?xf64>) {
  %r:2 = "ad.vjp"(%a, %i, %bar) {
    callee = @element, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (tensor<?xf64>, index, f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// CHECK-LABEL: func.func @element_jvp(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?xf64>, %[[I:[^:]*]]: index, %[[DA:[^:]*]]: tensor<?xf64>
// CHECK-NEXT: tensor.extract %[[DA]][%[[I]]]
func.func @element_jvp(%a: tensor<?xf64>, %i: index, %da: tensor<?xf64>) -> (f64) {
  %r:2 = "ad.jvp"(%a, %i, %da) {
    callee = @element, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (tensor<?xf64>, index, tensor<?xf64>) -> (f64, f64)
  return %r#1 : f64
}

func.func private @written(%a: tensor<?xf64>, %x: f64, %i: index) -> tensor<?xf64> {
  %b = tensor.insert %x into %a[%i] : tensor<?xf64>
  return %b : tensor<?xf64>
}

// The array before the write has no adjoint where it was overwritten.
// CHECK-LABEL: func.func @written_vjp(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?xf64>, %[[X:[^:]*]]: f64, %[[I:[^:]*]]: index, %[[BAR:[^:]*]]: tensor<?xf64>
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-NEXT: %[[X_BAR:.*]] = tensor.extract %[[BAR]][%[[I]]]
// CHECK-NEXT: %[[A_BAR:.*]] = tensor.insert %[[ZERO]] into %[[BAR]][%[[I]]]
// CHECK-NEXT: return %[[A_BAR]], %[[X_BAR]]
func.func @written_vjp(%a: tensor<?xf64>, %x: f64, %i: index, %bar: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %r:3 = "ad.vjp"(%a, %x, %i, %bar) {
    callee = @written, wrt = [0, 1], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (tensor<?xf64>, f64, index, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, f64)
  return %r#1, %r#2 : tensor<?xf64>, f64
}

// CHECK-LABEL: func.func @written_jvp(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?xf64>, %[[X:[^:]*]]: f64, %[[I:[^:]*]]: index, %[[DA:[^:]*]]: tensor<?xf64>,
// CHECK-SAME: %[[DX:[^:]*]]: f64
// CHECK-NEXT: tensor.insert %[[DX]] into %[[DA]][%[[I]]]
func.func @written_jvp(%a: tensor<?xf64>, %x: f64, %i: index, %da: tensor<?xf64>, %dx: f64) -> (tensor<?xf64>) {
  %r:2 = "ad.jvp"(%a, %x, %i, %da, %dx) {
    callee = @written, wrt = [0, 1], method = "redundant", operandSegmentSizes = array<i32: 3, 2>
  } : (tensor<?xf64>, f64, index, tensor<?xf64>, f64) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @part(%a: tensor<?xf64>, %i: index, %n: index) -> tensor<?xf64> {
  %x = tensor.extract_slice %a[%i] [%n] [2] : tensor<?xf64> to tensor<?xf64>
  return %x : tensor<?xf64>
}

// The adjoint of a slice is added to that slice.
// CHECK-LABEL: func.func @part_vjp(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?xf64>, %[[I:[^:]*]]: index, %[[N:[^:]*]]: index, %[[BAR:[^:]*]]: tensor<?xf64>
// CHECK: %[[ZEROS:.*]] = tensor.splat
// CHECK: tensor.insert_slice %{{.*}} into %[[ZEROS]][%[[I]]] [%[[N]]] [2]
func.func @part_vjp(%a: tensor<?xf64>, %i: index, %n: index, %bar: tensor<?xf64>) -> (tensor<?xf64>) {
  %r:2 = "ad.vjp"(%a, %i, %n, %bar) {
    callee = @part, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (tensor<?xf64>, index, index, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// CHECK-LABEL: func.func @part_jvp(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?xf64>, %[[I:[^:]*]]: index, %[[N:[^:]*]]: index, %[[DA:[^:]*]]: tensor<?xf64>
// CHECK-NEXT: tensor.extract_slice %[[DA]][%[[I]]] [%[[N]]] [2]
func.func @part_jvp(%a: tensor<?xf64>, %i: index, %n: index, %da: tensor<?xf64>) -> (tensor<?xf64>) {
  %r:2 = "ad.jvp"(%a, %i, %n, %da) {
    callee = @part, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (tensor<?xf64>, index, index, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @written_part(%a: tensor<?xf64>, %x: tensor<?xf64>, %i: index, %n: index) -> tensor<?xf64> {
  %b = tensor.insert_slice %x into %a[%i] [%n] [1] : tensor<?xf64> into tensor<?xf64>
  return %b : tensor<?xf64>
}

// CHECK-LABEL: func.func @written_part_vjp(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?xf64>, %[[X:[^:]*]]: tensor<?xf64>, %[[I:[^:]*]]: index, %[[N:[^:]*]]: index,
// CHECK-SAME: %[[BAR:[^:]*]]: tensor<?xf64>
// CHECK: %[[X_BAR:.*]] = tensor.extract_slice %[[BAR]][%[[I]]] [%[[N]]] [1]
// CHECK: %[[ZEROS:.*]] = tensor.splat
// CHECK: %[[A_BAR:.*]] = tensor.insert_slice %[[ZEROS]] into %[[BAR]][%[[I]]] [%[[N]]] [1]
// CHECK-NEXT: return %[[A_BAR]], %[[X_BAR]]
func.func @written_part_vjp(%a: tensor<?xf64>, %x: tensor<?xf64>, %i: index, %n: index, %bar: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = "ad.vjp"(%a, %x, %i, %n, %bar) {
    callee = @written_part, wrt = [0, 1], method = "redundant", operandSegmentSizes = array<i32: 4, 1>
  } : (tensor<?xf64>, tensor<?xf64>, index, index, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}

// CHECK-LABEL: func.func @written_part_jvp(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?xf64>, %[[X:[^:]*]]: tensor<?xf64>, %[[I:[^:]*]]: index, %[[N:[^:]*]]: index,
// CHECK-SAME: %[[DA:[^:]*]]: tensor<?xf64>, %[[DX:[^:]*]]: tensor<?xf64>
// CHECK-NEXT: tensor.insert_slice %[[DX]] into %[[DA]][%[[I]]] [%[[N]]] [1]
func.func @written_part_jvp(%a: tensor<?xf64>, %x: tensor<?xf64>, %i: index, %n: index, %da: tensor<?xf64>, %dx: tensor<?xf64>) -> (tensor<?xf64>) {
  %r:2 = "ad.jvp"(%a, %x, %i, %n, %da, %dx) {
    callee = @written_part, wrt = [0, 1], method = "redundant", operandSegmentSizes = array<i32: 4, 2>
  } : (tensor<?xf64>, tensor<?xf64>, index, index, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @moved(%a: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %x = tensor.extract_slice %a[0] [%n] [1] : tensor<?xf64> to tensor<?xf64>
  %b = tensor.insert_slice %x into %a[2] [%n] [1] : tensor<?xf64> into tensor<?xf64>
  return %b : tensor<?xf64>
}

// The zeros that the write leaves need not be added to: two elements of the slice lie outside of them.
// CHECK-LABEL: func.func @moved_vjp(
// CHECK-SAME: %{{.*}}: tensor<?xf64>, %[[N:[^:]*]]: index, %[[BAR:[^:]*]]: tensor<?xf64>
// CHECK: %[[X_BAR:.*]] = tensor.extract_slice %[[BAR]][2] [%[[N]]] [1]
// CHECK: %[[WIDTH:.*]] = arith.minsi %[[N]], %{{.*}} : index
// CHECK: %[[OLD:.*]] = tensor.extract_slice %[[BAR]][0] [%[[WIDTH]]] [1]
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[X_BAR]][0] [%[[WIDTH]]] [1]
// CHECK: soac.map
// CHECK-SAME: %[[OLD]], %[[PART]]
func.func @moved_vjp(%a: tensor<?xf64>, %n: index, %bar: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = "ad.vjp"(%a, %n, %bar) {
    callee = @moved, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (tensor<?xf64>, index, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @moved_anywhere(%a: tensor<?xf64>, %n: index, %i: index) -> tensor<?xf64> {
  %x = tensor.extract_slice %a[0] [%n] [1] : tensor<?xf64> to tensor<?xf64>
  %b = tensor.insert_slice %x into %a[%i] [%n] [1] : tensor<?xf64> into tensor<?xf64>
  return %b : tensor<?xf64>
}

// Where the zeros lie is not known: all of the slice is added to.
// CHECK-LABEL: func.func @moved_anywhere_vjp(
// CHECK-SAME: %{{.*}}: tensor<?xf64>, %[[N:[^:]*]]: index, %[[I:[^:]*]]: index, %[[BAR:[^:]*]]: tensor<?xf64>
// CHECK: %[[A_BAR:.*]] = tensor.insert_slice %{{.*}} into %[[BAR]][%[[I]]] [%[[N]]] [1]
// CHECK: tensor.extract_slice %[[A_BAR]][0] [%[[N]]] [1]
func.func @moved_anywhere_vjp(%a: tensor<?xf64>, %n: index, %i: index, %bar: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = "ad.vjp"(%a, %n, %i, %bar) {
    callee = @moved_anywhere, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (tensor<?xf64>, index, index, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
