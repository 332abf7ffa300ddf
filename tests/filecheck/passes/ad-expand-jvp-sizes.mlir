// ad-expand of forward mode: what loops and branches make of arrays whose sizes may change has tangents of the same size.
// RUN: tapeless-opt --ad-expand --canonicalize --cse %s | filecheck %s

func.func private @last(%n: index, %a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (tensor<?xf64>) {
    %y = "soac.reverse"(%b) {axis = 0 : i64} : (tensor<?xf64>) -> tensor<?xf64>
    scf.yield %y : tensor<?xf64>
  }
  return %last : tensor<?xf64>
}

// A carried array that is replaced by another one: asserted of what the loop carries, and of what it leaves.
// CHECK-LABEL: func.func @of_last(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[A:[^:]*]]: tensor<?xf64>, %[[B:[^:]*]]: tensor<?xf64>, %[[DA:[^:]*]]: tensor<?xf64>, %[[DB:[^:]*]]: tensor<?xf64>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[Y:.*]] = "soac.reverse"(%[[B]])
// CHECK-DAG: %[[DY:.*]] = "soac.reverse"(%[[DB]])
// CHECK: %[[LAST:.*]]:2 = scf.for {{.*}} iter_args(%[[X:.*]] = %[[A]], %[[DX:.*]] = %[[DA]])
// CHECK-NEXT: %[[OF_DX:.*]] = tensor.dim %[[DX]], %[[ZERO]]
// CHECK-NEXT: %[[OF_X:.*]] = tensor.dim %[[X]], %[[ZERO]]
// CHECK-NEXT: %[[SAME:.*]] = arith.cmpi eq, %[[OF_DX]], %[[OF_X]]
// CHECK-NEXT: "soac.assert"(%[[SAME]], %[[OF_DX]], %[[OF_X]]) {kind = "ShapeMismatch", message = "a tangent has size {} along an axis of size {} of its value"}
// CHECK-NEXT: scf.yield %[[Y]], %[[DY]]
// CHECK: %[[OF_DLAST:.*]] = tensor.dim %[[LAST]]#1, %[[ZERO]]
// CHECK-NEXT: %[[OF_LAST:.*]] = tensor.dim %[[LAST]]#0, %[[ZERO]]
// CHECK-NEXT: %[[SAME_AFTER:.*]] = arith.cmpi eq, %[[OF_DLAST]], %[[OF_LAST]]
// CHECK-NEXT: "soac.assert"(%[[SAME_AFTER]], %[[OF_DLAST]], %[[OF_LAST]])
// CHECK-NEXT: return %[[LAST]]#1
func.func @of_last(%n: index, %a: tensor<?xf64>, %b: tensor<?xf64>, %da: tensor<?xf64>, %db: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = "ad.jvp"(%n, %a, %b, %da, %db) {
    callee = @last, wrt = [1, 2], method = "redundant", operandSegmentSizes = array<i32: 3, 2>
  } : (index, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @either(%c: i1, %a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %chosen = scf.if %c -> (tensor<?xf64>) {
    %y = "soac.reverse"(%a) {axis = 0 : i64} : (tensor<?xf64>) -> tensor<?xf64>
    scf.yield %y : tensor<?xf64>
  } else {
    scf.yield %b : tensor<?xf64>
  }
  return %chosen : tensor<?xf64>
}

// Branches that give arrays of different sizes: asserted of what they give.
// CHECK-LABEL: func.func @of_either(
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: %[[CHOSEN:.*]]:2 = scf.if
// CHECK-NOT: soac.assert
// CHECK: %[[OF_D:.*]] = tensor.dim %[[CHOSEN]]#1, %[[ZERO]]
// CHECK-NEXT: %[[OF:.*]] = tensor.dim %[[CHOSEN]]#0, %[[ZERO]]
// CHECK-NEXT: %[[SAME:.*]] = arith.cmpi eq, %[[OF_D]], %[[OF]]
// CHECK-NEXT: "soac.assert"(%[[SAME]], %[[OF_D]], %[[OF]])
// CHECK-NEXT: return %[[CHOSEN]]#1
func.func @of_either(%c: i1, %a: tensor<?xf64>, %b: tensor<?xf64>, %da: tensor<?xf64>, %db: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = "ad.jvp"(%c, %a, %b, %da, %db) {
    callee = @either, wrt = [1, 2], method = "redundant", operandSegmentSizes = array<i32: 3, 2>
  } : (i1, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @until(%b: tensor<?x3xf64>) -> tensor<?x3xf64> {
  %zero = arith.constant 0 : index
  %limit = arith.constant 1.0 : f64
  %start = "soac.widen"(%b) : (tensor<?x3xf64>) -> tensor<?x3xf64>
  %last = scf.while (%x = %start) : (tensor<?x3xf64>) -> tensor<?x3xf64> {
    %first = tensor.extract %x[%zero, %zero] : tensor<?x3xf64>
    %goes_on = arith.cmpf olt, %first, %limit : f64
    scf.condition(%goes_on) %x : tensor<?x3xf64>
  } do {
  ^bb0(%x: tensor<?x3xf64>):
    %y = tensor.concat dim(0) %x, %b : (tensor<?x3xf64>, tensor<?x3xf64>) -> tensor<?x3xf64>
    scf.yield %y : tensor<?x3xf64>
  }
  return %last : tensor<?x3xf64>
}

// An array that grows: asserted once, where the condition is asked, and of the axis that is not fixed.
// CHECK-LABEL: func.func @of_until(
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: %[[LAST:.*]]:2 = scf.while (%[[X:.*]] = %{{.*}}, %[[DX:.*]] = %{{.*}})
// CHECK-NEXT: %[[OF_DX:.*]] = tensor.dim %[[DX]], %[[ZERO]]
// CHECK-NEXT: %[[OF_X:.*]] = tensor.dim %[[X]], %[[ZERO]]
// CHECK-NEXT: %[[SAME:.*]] = arith.cmpi eq, %[[OF_DX]], %[[OF_X]]
// CHECK-NEXT: "soac.assert"(%[[SAME]], %[[OF_DX]], %[[OF_X]])
// CHECK-NEXT: tensor.extract %[[X]]
// CHECK-NOT: soac.assert
// CHECK: return %[[LAST]]#1
func.func @of_until(%b: tensor<?x3xf64>, %db: tensor<?x3xf64>) -> tensor<?x3xf64> {
  %r:2 = "ad.jvp"(%b, %db) {
    callee = @until, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (tensor<?x3xf64>, tensor<?x3xf64>) -> (tensor<?x3xf64>, tensor<?x3xf64>)
  return %r#1 : tensor<?x3xf64>
}

func.func private @kept(%n: index, %a: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (tensor<?xf64>) {
    %y = "soac.reverse"(%x) {axis = 0 : i64} : (tensor<?xf64>) -> tensor<?xf64>
    scf.yield %y : tensor<?xf64>
  }
  return %last : tensor<?xf64>
}

// A loop that keeps the size of what it carries: nothing to assert.
// CHECK-LABEL: func.func @of_kept(
// CHECK-NOT: soac.assert
// CHECK: return
func.func @of_kept(%n: index, %a: tensor<?xf64>, %da: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = "ad.jvp"(%n, %a, %da) {
    callee = @kept, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (index, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
