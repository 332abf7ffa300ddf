// soac-merge-loops merges loops once; its options say which.
// RUN: tapeless-opt --soac-merge-loops %s | filecheck %s --check-prefixes=CHECK,ALL
// RUN: tapeless-opt --soac-merge-loops=reductions=false %s | filecheck %s --check-prefixes=CHECK,MAPS
// RUN: tapeless-opt --soac-merge-loops=horizontal=false %s | filecheck %s --check-prefixes=CHECK,CHAINS
// RUN: tapeless-opt --soac-merge-loops=max-body=1 %s | filecheck %s --check-prefixes=CHECK,SMALL

// A map into the map and the sum that read it; both compute the exponential until duplicates are merged.
// CHECK-LABEL: func.func @chain
// ALL-NOT: soac.map
// ALL: "soac.fused"
// MAPS: "soac.map"
// MAPS: "soac.reduce"
// CHAINS: "soac.fused"
// SMALL-COUNT-2: "soac.map"
// SMALL: "soac.reduce"
// CHECK: return
func.func @chain(%n: index, %xs: tensor<?xf64>, %z: f64) -> f64 {
  %a = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = math.exp %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %b = "soac.map"(%n, %a) ({
  ^bb0(%i: index, %x: f64):
    %y = math.sin %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %s = "soac.reduce"(%n, %b, %z) ({
  ^bb0(%l: f64, %r: f64):
    %t = arith.addf %l, %r : f64
    "soac.yield"(%t) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %s : f64
}

// Two maps that only read the same array.
// CHECK-LABEL: func.func @neighbours
// ALL-COUNT-1: "soac.map"
// ALL-NOT: "soac.map"
// MAPS-COUNT-1: "soac.map"
// MAPS-NOT: "soac.map"
// CHAINS-COUNT-2: "soac.map"
// SMALL-COUNT-2: "soac.map"
// CHECK: return
func.func @neighbours(%n: index, %xs: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %a = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = math.exp %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %b = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = math.sin %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %a, %b : tensor<?xf64>, tensor<?xf64>
}
