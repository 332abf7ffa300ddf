// Products that are fused into the sum that uses them are marked.
// RUN: tapeless-opt --soac-mark-fma %s | filecheck %s

// CHECK-LABEL: func.func @sum(
// CHECK: arith.mulf {{.*}} {tapeless.fused}
// CHECK: arith.addf {{.*}} fastmath<contract>
func.func @sum(%a: f64, %b: f64, %c: f64) -> f64 {
  %0 = arith.mulf %a, %b fastmath<contract> : f64
  %1 = arith.addf %c, %0 fastmath<contract> : f64
  return %1 : f64
}

// Of two products a sum takes the first, a difference the second.
// CHECK-LABEL: func.func @two_products(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[B:[^:]*]]: f64, %[[C:[^:]*]]: f64, %[[D:[^:]*]]: f64)
// CHECK: arith.mulf %[[A]], %[[B]] fastmath<contract> {tapeless.fused} : f64
// CHECK: arith.mulf %[[C]], %[[D]] fastmath<contract> : f64
// CHECK: arith.mulf %[[B]], %[[C]] fastmath<contract> : f64
// CHECK: arith.mulf %[[A]], %[[D]] fastmath<contract> {tapeless.fused} : f64
func.func @two_products(%a: f64, %b: f64, %c: f64, %d: f64) -> (f64, f64) {
  %0 = arith.mulf %a, %b fastmath<contract> : f64
  %1 = arith.mulf %c, %d fastmath<contract> : f64
  %2 = arith.addf %0, %1 fastmath<reassoc,contract> : f64
  %3 = arith.mulf %b, %c fastmath<contract> : f64
  %4 = arith.mulf %a, %d fastmath<contract> : f64
  %5 = arith.subf %3, %4 fastmath<contract> : f64
  return %2, %5 : f64, f64
}

// Neither a product with another use, nor one in another block, nor one without the flag.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: tapeless.fused
func.func @others(%a: f64, %b: f64, %p: i1) -> (f64, f64, f64, f64) {
  %0 = arith.mulf %a, %b fastmath<contract> : f64
  %1 = arith.addf %0, %b fastmath<contract> : f64
  %2 = arith.mulf %b, %b fastmath<contract> : f64
  %3 = scf.if %p -> (f64) {
    %t = arith.addf %2, %a fastmath<contract> : f64
    scf.yield %t : f64
  } else {
    scf.yield %a : f64
  }
  %4 = arith.mulf %a, %a : f64
  %5 = arith.addf %4, %b fastmath<contract> : f64
  return %0, %1, %3, %5 : f64, f64, f64, f64
}

// A product that only sums of adjoints take in is marked, if each of them has it once.
// CHECK-LABEL: func.func @adjoints(
// CHECK: arith.mulf %{{.*}}, %{{.*}} fastmath<contract> {tapeless.fused} : f64
// CHECK-NEXT: arith.addf
// CHECK-NEXT: arith.subf
// CHECK-NEXT: arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f64
// CHECK-NEXT: arith.addf
// CHECK-NEXT: arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f64
func.func @adjoints(%a: f64, %b: f64, %c: f64, %d: f64) -> (f64, f64, f64, f64, f64) {
  %0 = arith.mulf %a, %b fastmath<contract> : f64
  %1 = arith.addf %c, %0 fastmath<reassoc,contract> : f64
  %2 = arith.subf %d, %0 fastmath<reassoc,contract> : f64
  %3 = arith.mulf %a, %c fastmath<contract> : f64
  %4 = arith.addf %3, %3 fastmath<reassoc,contract> : f64
  %5 = arith.mulf %a, %d fastmath<contract> : f64
  %6 = arith.addf %5, %a fastmath<reassoc,contract> : f64
  %7 = arith.addf %5, %b fastmath<contract> : f64
  return %1, %2, %4, %6, %7 : f64, f64, f64, f64, f64
}

// A small array of known elements is added one by one, but for zeros, so that its products stand beside their sums.
// CHECK-LABEL: func.func @known_elements(
// CHECK-SAME: %[[P:[^:]*]]: f64, %[[Q:[^:]*]]: f64, %[[K:[^:]*]]: index
// CHECK-NOT: tensor.insert
// CHECK: "soac.with_acc"
// CHECK: ^bb0(%[[ACC:[^:]*]]:
// CHECK-NOT: soac.map
// CHECK: %[[FIRST:.*]] = "soac.update"(%[[ACC]], %[[K]], %{{.*}}, %{{.*}}, %[[Q]]) {soac.in_bounds}
// CHECK: %[[BOTH:.*]] = "soac.update"(%[[FIRST]], %[[K]], %{{.*}}, %{{.*}}, %[[P]]) {soac.in_bounds}
// CHECK-NEXT: "soac.yield"(%[[BOTH]])
func.func @known_elements(%p: f64, %q: f64, %k: index, %m: tensor<?x2x2xf64>) -> tensor<?x2x2xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zeros = arith.constant dense<0.0> : tensor<2x2xf64>
  %a = tensor.insert %p into %zeros[%c1, %c1] : tensor<2x2xf64>
  %b = tensor.insert %q into %a[%c0, %c1] : tensor<2x2xf64>
  %0 = "soac.with_acc"(%m) ({
  ^bb0(%acc: !soac.acc<tensor<?x2x2xf64>>):
    %1 = "soac.map"(%c2, %b, %acc) ({
    ^bb0(%i: index, %row: tensor<2xf64>, %outer: !soac.acc<tensor<?x2x2xf64>>):
      %2 = "soac.map"(%c2, %row, %outer) ({
      ^bb0(%j: index, %x: f64, %inner: !soac.acc<tensor<?x2x2xf64>>):
        %3 = "soac.update"(%inner, %k, %i, %j, %x) {soac.in_bounds} : (!soac.acc<tensor<?x2x2xf64>>, index, index, index, f64) -> !soac.acc<tensor<?x2x2xf64>>
        "soac.yield"(%3) : (!soac.acc<tensor<?x2x2xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<2xf64>, !soac.acc<tensor<?x2x2xf64>>) -> !soac.acc<tensor<?x2x2xf64>>
      "soac.yield"(%2) : (!soac.acc<tensor<?x2x2xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<2x2xf64>, !soac.acc<tensor<?x2x2xf64>>) -> !soac.acc<tensor<?x2x2xf64>>
    "soac.yield"(%1) : (!soac.acc<tensor<?x2x2xf64>>) -> ()
  }) : (tensor<?x2x2xf64>) -> tensor<?x2x2xf64>
  return %0 : tensor<?x2x2xf64>
}

// A place that is not constant may hold anything.
// CHECK-LABEL: func.func @unknown_place(
// CHECK: soac.map
func.func @unknown_place(%p: f64, %k: index, %m: tensor<2xf64>) -> tensor<2xf64> {
  %c2 = arith.constant 2 : index
  %zeros = arith.constant dense<0.0> : tensor<2xf64>
  %a = tensor.insert %p into %zeros[%k] : tensor<2xf64>
  %0 = "soac.with_acc"(%m) ({
  ^bb0(%acc: !soac.acc<tensor<2xf64>>):
    %1 = "soac.map"(%c2, %a, %acc) ({
    ^bb0(%i: index, %x: f64, %inner: !soac.acc<tensor<2xf64>>):
      %2 = "soac.update"(%inner, %i, %x) {soac.in_bounds} : (!soac.acc<tensor<2xf64>>, index, f64) -> !soac.acc<tensor<2xf64>>
      "soac.yield"(%2) : (!soac.acc<tensor<2xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<2xf64>, !soac.acc<tensor<2xf64>>) -> !soac.acc<tensor<2xf64>>
    "soac.yield"(%1) : (!soac.acc<tensor<2xf64>>) -> ()
  }) : (tensor<2xf64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

// Of a row that is added as a whole, elements may have been written one by one.
// CHECK-LABEL: func.func @rows(
// CHECK: tensor.insert
// CHECK: soac.map
func.func @rows(%p: f64, %m: tensor<3xf64>) -> tensor<3xf64> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zeros = arith.constant dense<0.0> : tensor<2x3xf64>
  %a = tensor.insert %p into %zeros[%c1, %c2] : tensor<2x3xf64>
  %0 = "soac.with_acc"(%m) ({
  ^bb0(%acc: !soac.acc<tensor<3xf64>>):
    %1 = "soac.map"(%c2, %a, %acc) ({
    ^bb0(%i: index, %row: tensor<3xf64>, %inner: !soac.acc<tensor<3xf64>>):
      %2 = "soac.update"(%inner, %row) {soac.in_bounds} : (!soac.acc<tensor<3xf64>>, tensor<3xf64>) -> !soac.acc<tensor<3xf64>>
      "soac.yield"(%2) : (!soac.acc<tensor<3xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<2x3xf64>, !soac.acc<tensor<3xf64>>) -> !soac.acc<tensor<3xf64>>
    "soac.yield"(%1) : (!soac.acc<tensor<3xf64>>) -> ()
  }) : (tensor<3xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
