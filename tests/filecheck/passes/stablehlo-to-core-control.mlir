// Loops and branches.
// RUN: tapeless-opt --stablehlo-to-core %s | filecheck %s

// A loop that counts is `scf.for`: what it hands on unchanged leaves it, and what it reads at the counter is in range.
// CHECK-LABEL: func.func @scanned(%arg0: tensor<6x4xf32>, %arg1: tensor<4xf32>)
// CHECK: [[LOOP:%.*]] = scf.for [[I:%.*]] = %c0 to %c6 step %c1 iter_args([[STATE:%.*]] = %arg1) -> (tensor<4xf32>)
// CHECK-NOT: arith.maxsi
// CHECK-NOT: arith.select
// CHECK: tensor.extract_slice %arg0{{\[}}[[I]], 0] [1, 4] [1, 1] : tensor<6x4xf32> to tensor<4xf32>
// CHECK: scf.yield
// CHECK: return [[LOOP]]
func.func @scanned(%xs: tensor<6x4xf32>, %start: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%rows = %xs, %i = %zero, %state = %start) : tensor<6x4xf32>, tensor<i32>, tensor<4xf32>
  cond {
    %six = stablehlo.constant dense<6> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %six, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %none = stablehlo.constant dense<0> : tensor<i32>
    %six = stablehlo.constant dense<6> : tensor<i32>
    %negative = stablehlo.compare LT, %i, %none, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %wrapped = stablehlo.add %i, %six : tensor<i32>
    %at = stablehlo.select %negative, %wrapped, %i : tensor<i1>, tensor<i32>
    %1 = stablehlo.dynamic_slice %rows, %at, %none, sizes = [1, 4] : (tensor<6x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x4xf32>) -> tensor<4xf32>
    %3 = stablehlo.multiply %state, %2 : tensor<4xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %rows, %next, %3 : tensor<6x4xf32>, tensor<i32>, tensor<4xf32>
  }
  return %0#2 : tensor<4xf32>
}

// Bounds that are arguments count, too; a start that may be negative is added to a count from 0.
// CHECK-LABEL: func.func @between(%arg0: i32, %arg1: i32, %arg2: f32) -> (i32, f32)
// CHECK: scf.for [[K:%.*]] = %c0 to {{%.*}} step {{%.*}} iter_args
// CHECK: [[COUNT:%.*]] = arith.index_cast [[K]] : index to i32
// CHECK: arith.addi %arg0
// CHECK: [[END:%.*]] = arith.maxsi %arg0, %arg1 : i32
// CHECK: return [[END]]
func.func @between(%from: tensor<i32>, %to: tensor<i32>, %x: tensor<f32>) -> (tensor<i32>, tensor<f32>) {
  %0:2 = stablehlo.while(%i = %from, %y = %x) : tensor<i32>, tensor<f32>
  cond {
    %1 = stablehlo.compare LT, %i, %to, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %2 = stablehlo.add %y, %1 : tensor<f32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %2 : tensor<i32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<i32>, tensor<f32>
}

// Any other condition is that of `scf.while`.
// CHECK-LABEL: func.func @halved(%arg0: f32)
// CHECK: scf.while ([[X:%.*]] = %arg0) : (f32) -> f32
// CHECK: scf.condition
func.func @halved(%x: tensor<f32>) -> tensor<f32> {
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %0 = stablehlo.while(%y = %x) : tensor<f32>
  cond {
    %1 = stablehlo.compare GT, %y, %half, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.multiply %y, %half : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// The last branch is that of all numbers that no branch has.
// CHECK-LABEL: func.func @cases(%arg0: i32, %arg1: f32)
// CHECK: [[FIRST:%.*]] = arith.cmpi eq, %arg0, %c0_i32
// CHECK: scf.if [[FIRST]] -> (f32)
// CHECK: math.sin
// CHECK: [[SECOND:%.*]] = arith.cmpi eq, %arg0, %c1_i32
// CHECK: scf.if [[SECOND]] -> (f32)
// CHECK: math.cos
// CHECK: math.tanh
func.func @cases(%which: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.case"(%which) ({
    %1 = stablehlo.sine %x : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }, {
    %1 = stablehlo.cosine %x : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }, {
    %1 = stablehlo.tanh %x : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %0 : tensor<f32>
}
