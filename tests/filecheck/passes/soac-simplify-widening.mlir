// soac-simplify gives widened arrays their size back where no loop changes it.
// RUN: tapeless-opt --canonicalize --soac-simplify %s | filecheck %s

// The loop doubles the array: its type must not promise the size it starts with.
// CHECK-LABEL: func.func @grows(
// CHECK: %[[START:.*]] = "soac.widen"(%{{.*}}) : (tensor<1xf64>) -> tensor<?xf64>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[START]]) -> (tensor<?xf64>)
func.func @grows(%x: tensor<1xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = "soac.widen"(%x) : (tensor<1xf64>) -> tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %start) -> tensor<?xf64> {
    %b = tensor.concat dim(0) %a, %a : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// The loop turns the array around: it has two elements throughout.
// CHECK-LABEL: func.func @keeps(
// CHECK-NOT: soac.widen
// CHECK: scf.for {{.*}} -> (tensor<2xf64>)
func.func @keeps(%x: tensor<2xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = "soac.widen"(%x) : (tensor<2xf64>) -> tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %start) -> tensor<?xf64> {
    %b = "soac.reverse"(%a) {axis = 0 : i64} : (tensor<?xf64>) -> tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// In a while loop the same.
// CHECK-LABEL: func.func @grows_while(
// CHECK: "soac.widen"
// CHECK-LABEL: func.func @keeps_while(
// CHECK-NOT: soac.widen
func.func @grows_while(%x: tensor<1xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %start = "soac.widen"(%x) : (tensor<1xf64>) -> tensor<?xf64>
  %r = scf.while (%a = %start) : (tensor<?xf64>) -> tensor<?xf64> {
    %size = tensor.dim %a, %c0 : tensor<?xf64>
    %more = arith.cmpi slt, %size, %n : index
    scf.condition(%more) %a : tensor<?xf64>
  } do {
  ^bb0(%a: tensor<?xf64>):
    %b = tensor.concat dim(0) %a, %a : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

func.func @keeps_while(%x: tensor<2xf64>, %limit: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %start = "soac.widen"(%x) : (tensor<2xf64>) -> tensor<?xf64>
  %r = scf.while (%a = %start) : (tensor<?xf64>) -> tensor<?xf64> {
    %first = tensor.extract %a[%c0] : tensor<?xf64>
    %more = arith.cmpf olt, %first, %limit : f64
    scf.condition(%more) %a : tensor<?xf64>
  } do {
  ^bb0(%a: tensor<?xf64>):
    %first = tensor.extract %a[%c0] : tensor<?xf64>
    %next = arith.addf %first, %first : f64
    %b = tensor.insert %next into %a[%c0] : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
