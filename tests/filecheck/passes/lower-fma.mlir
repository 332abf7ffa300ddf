// Marked products and their sums become one operation; other sums lose what would let LLVM decide.
// RUN: tapeless-opt --lower-fma %s | filecheck %s
// RUN: tapeless-opt --lower-fma="fused=false" %s | filecheck %s --check-prefix=APART

// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[B:[^:]*]]: f64, %[[C:[^:]*]]: f64)
// CHECK-NEXT: %[[S:.*]] = math.fma %[[A]], %[[B]], %[[C]] : f64
// CHECK-NEXT: return %[[S]]
// APART-LABEL: func.func @sum(
// APART: arith.addf %{{.*}}, %{{.*}} : f64
func.func @sum(%a: f64, %b: f64, %c: f64) -> f64 {
  %0 = arith.mulf %a, %b fastmath<contract> {tapeless.fused} : f64
  %1 = arith.addf %c, %0 fastmath<contract> : f64
  return %1 : f64
}

// CHECK-LABEL: func.func @product_subtracted(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[B:[^:]*]]: f64, %[[C:[^:]*]]: f64)
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[A]] : f64
// CHECK-NEXT: math.fma %[[N]], %[[B]], %[[C]] : f64
func.func @product_subtracted(%a: f64, %b: f64, %c: f64) -> f64 {
  %0 = arith.mulf %a, %b fastmath<contract> {tapeless.fused} : f64
  %1 = arith.subf %c, %0 fastmath<contract> : f64
  return %1 : f64
}

// CHECK-LABEL: func.func @subtracted_from_product(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[B:[^:]*]]: f64, %[[C:[^:]*]]: f64)
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[C]] : f64
// CHECK-NEXT: math.fma %[[A]], %[[B]], %[[N]] : f64
func.func @subtracted_from_product(%a: f64, %b: f64, %c: f64) -> f64 {
  %0 = arith.mulf %a, %b fastmath<contract> {tapeless.fused} : f64
  %1 = arith.subf %0, %c fastmath<contract> : f64
  return %1 : f64
}

// A constant takes the sign in, another product would not.
// CHECK-LABEL: func.func @signs(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[C:[^:]*]]: f64)
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[A]] : f64
// CHECK-NEXT: math.fma %[[N]], %[[SQUARE]], %[[C]] : f64
func.func @signs(%a: f64, %c: f64) -> f64 {
  %0 = arith.mulf %a, %a fastmath<contract> : f64
  %1 = arith.mulf %0, %a fastmath<contract> {tapeless.fused} : f64
  %2 = arith.subf %c, %1 fastmath<contract> : f64
  return %2 : f64
}

// A product that is the same in all lanes is fused in each of them.
// CHECK-LABEL: func.func @lanes(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[B:[^:]*]]: f64, %[[C:[^:]*]]: vector<4xf64>)
// CHECK-NEXT: %[[X:.*]] = vector.broadcast %[[A]]
// CHECK-NEXT: %[[Y:.*]] = vector.broadcast %[[B]]
// CHECK-NEXT: math.fma %[[X]], %[[Y]], %[[C]] : vector<4xf64>
func.func @lanes(%a: f64, %b: f64, %c: vector<4xf64>) -> vector<4xf64> {
  %0 = arith.mulf %a, %b fastmath<contract> {tapeless.fused} : f64
  %1 = vector.broadcast %0 : f64 to vector<4xf64>
  %2 = arith.addf %1, %c fastmath<contract> : vector<4xf64>
  return %2 : vector<4xf64>
}

// CHECK-LABEL: func.func @others(
// CHECK: arith.mulf %{{.*}} fastmath<contract> : f64
// CHECK-NEXT: arith.addf %{{.*}}, %{{.*}} : f64
// CHECK-NEXT: arith.subf %{{.*}}, %{{.*}} : f64
func.func @others(%a: f64, %b: f64) -> f64 {
  %0 = arith.mulf %a, %b fastmath<contract> : f64
  %1 = arith.addf %0, %b fastmath<contract> : f64
  %2 = arith.subf %1, %b fastmath<reassoc,contract> : f64
  return %2 : f64
}

// Sums of reductions stay free in their order, with a product or without.
// CHECK-LABEL: func.func @free(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[B:[^:]*]]: f64, %[[C:[^:]*]]: f64)
// CHECK-NEXT: %[[S:.*]] = llvm.intr.fmuladd(%[[A]], %[[B]], %[[C]]) {fastmathFlags = #llvm.fastmath<nsz, reassoc>}
// CHECK-NEXT: arith.addf %[[S]], %[[A]] fastmath<reassoc,nsz> : f64
// APART-LABEL: func.func @free(
// APART: arith.mulf
// APART-NEXT: arith.addf {{.*}} fastmath<reassoc,nsz> : f64
func.func @free(%a: f64, %b: f64, %c: f64) -> f64 {
  %0 = arith.mulf %a, %b fastmath<contract> : f64
  %1 = arith.addf %c, %0 fastmath<reassoc,nsz,contract> : f64
  %2 = arith.addf %1, %a fastmath<reassoc,nsz,contract> : f64
  return %2 : f64
}

// Additions that become atomic take a value.
// CHECK-LABEL: func.func @atomic(
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @atomic(%a: f64, %m: memref<f64>) {
  %0 = arith.mulf %a, %a fastmath<contract> : f64
  %1 = memref.load %m[] : memref<f64>
  %2 = arith.addf %1, %0 fastmath<reassoc,nsz,contract> {tapeless.atomic} : f64
  memref.store %2, %m[] : memref<f64>
  return
}

// The sign stays beside the sum: on a factor that other products share, not on what is read or comes from outside.
// CHECK-LABEL: func.func @sign_beside_the_sum(
// CHECK: scf.for
// CHECK: %[[SHARED:.*]] = arith.mulf %[[X:.*]], %[[X]]
// CHECK: %[[N:.*]] = arith.negf %[[SHARED]] : f64
// CHECK-NEXT: math.fma %[[N]], %[[X]], %{{.*}} : f64
// CHECK: %[[M:.*]] = arith.negf %[[SHARED]] : f64
// CHECK-NEXT: math.fma %[[M]], %arg1, %{{.*}} : f64
func.func @sign_beside_the_sum(%m: memref<8xf64>, %a: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %minus = arith.negf %a : f64
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %m[%i] : memref<8xf64>
    %shared = arith.mulf %x, %x fastmath<contract> : f64
    %0 = arith.mulf %x, %shared fastmath<contract> {tapeless.fused} : f64
    %1 = arith.subf %a, %0 fastmath<contract> : f64
    %2 = arith.mulf %minus, %shared fastmath<contract> {tapeless.fused} : f64
    %3 = arith.addf %1, %2 fastmath<contract> : f64
    memref.store %3, %m[%i] : memref<8xf64>
  }
  return
}

// Two signs are none.
// CHECK-LABEL: func.func @two_signs(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[B:[^:]*]]: f64)
// CHECK: math.fma %[[A]], %[[B]], %[[A]] : f64
func.func @two_signs(%a: f64, %b: f64) -> f64 {
  %0 = arith.negf %a : f64
  %1 = arith.mulf %0, %b fastmath<contract> {tapeless.fused} : f64
  %2 = arith.subf %a, %1 fastmath<contract> : f64
  return %2 : f64
}
