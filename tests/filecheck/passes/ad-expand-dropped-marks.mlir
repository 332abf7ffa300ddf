// ad-expand removes what only derivatives look at, and simplifies what it held apart.
// RUN: tapeless-opt --ad-expand %s | filecheck %s

// Both products are the same without the mark.
// CHECK-LABEL: func.func @stopped(
// CHECK-SAME: %[[X:[^:]*]]: f64
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[P]], %[[P]]
// CHECK-NEXT: return %[[S]]
func.func @stopped(%x: f64) -> f64 {
  %fixed = "ad.stop_gradient"(%x) : (f64) -> f64
  %a = arith.mulf %fixed, %x : f64
  %b = arith.mulf %x, %x : f64
  %s = arith.addf %a, %b : f64
  return %s : f64
}

// The body of a checkpoint takes its place.
// CHECK-LABEL: func.func @checkpoint(
// CHECK-SAME: %[[X:[^:]*]]: f64
// CHECK-NEXT: %[[E:.*]] = math.exp %[[X]]
// CHECK-NEXT: return %[[E]]
func.func @checkpoint(%x: f64) -> f64 {
  %y = "ad.checkpoint"() ({
    %e = math.exp %x : f64
    "ad.yield"(%e) : (f64) -> ()
  }) : () -> f64
  return %y : f64
}

// A promise about an array.
// CHECK-LABEL: func.func @promised(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?xf64>, %[[I:[^:]*]]: index
// CHECK-NEXT: tensor.extract %[[X]][%[[I]]]
func.func @promised(%x: tensor<?xf64>, %i: index) -> f64 {
  %a = "ad.promise"(%x) : (tensor<?xf64>) -> tensor<?xf64>
  %e = tensor.extract %a[%i] : tensor<?xf64>
  return %e : f64
}
