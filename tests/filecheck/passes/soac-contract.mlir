// Products that are fused into the sum that uses them are marked.
// RUN: tapeless-opt --soac-contract %s | filecheck %s

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
