// A product that is added to itself has its cotangent doubled, where twice that is finite if it is.
// RUN: tapeless-opt --soac-distribute-nests %s | filecheck %s

// CHECK-LABEL: func.func @by_a_count
// CHECK: %[[G:.*]] = arith.divf
// CHECK: %[[TWICE:.*]] = arith.addf %[[G]], %[[G]]
// CHECK: arith.mulf %[[TWICE]], %arg1
func.func @by_a_count(%n: i64, %x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %count = arith.sitofp %n : i64 to f64
  %g = arith.divf %one, %count : f64
  %p = arith.mulf %g, %x fastmath<reassoc,contract> : f64
  %s = arith.addf %p, %p fastmath<reassoc,contract> : f64
  return %s : f64
}

// CHECK-LABEL: func.func @half_of_anything
// CHECK: %[[G:.*]] = arith.negf
// CHECK: %[[TWICE:.*]] = arith.addf %[[G]], %[[G]]
// CHECK: arith.mulf %[[TWICE]], %arg1
func.func @half_of_anything(%w: f32, %x: f32) -> f32 {
  %half = arith.constant 0.5 : f32
  %h = arith.mulf %half, %w : f32
  %g = arith.negf %h : f32
  %p = arith.mulf %g, %x fastmath<reassoc,contract> : f32
  %s = arith.addf %p, %p fastmath<reassoc,contract> : f32
  return %s : f32
}

// CHECK-LABEL: func.func @one_of_two
// CHECK: %[[G:.*]] = arith.select
// CHECK: arith.addf %[[G]], %[[G]]
func.func @one_of_two(%c: i1, %x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %g = arith.select %c, %one, %zero : f64
  %p = arith.mulf %g, %x fastmath<reassoc,contract> : f64
  %s = arith.addf %p, %p fastmath<reassoc,contract> : f64
  return %s : f64
}

// CHECK-LABEL: func.func @anything
// CHECK: %[[P:.*]] = arith.mulf %arg0, %arg1
// CHECK: arith.addf %[[P]], %[[P]]
func.func @anything(%g: f64, %x: f64) -> f64 {
  %p = arith.mulf %g, %x fastmath<reassoc,contract> : f64
  %s = arith.addf %p, %p fastmath<reassoc,contract> : f64
  return %s : f64
}

// CHECK-LABEL: func.func @near_the_largest
// CHECK: %[[P:.*]] = arith.mulf %{{.*}}, %arg0
// CHECK: arith.addf %[[P]], %[[P]]
func.func @near_the_largest(%x: f32) -> f32 {
  %g = arith.constant 3.0e38 : f32
  %p = arith.mulf %g, %x fastmath<reassoc,contract> : f32
  %s = arith.addf %p, %p fastmath<reassoc,contract> : f32
  return %s : f32
}

// CHECK-LABEL: func.func @three_quarters_of_anything
// CHECK: %[[G:.*]] = arith.mulf
// CHECK: %[[P:.*]] = arith.mulf %[[G]], %arg1
// CHECK: arith.addf %[[P]], %[[P]]
func.func @three_quarters_of_anything(%w: f64, %x: f64) -> f64 {
  %most = arith.constant 0.75 : f64
  %g = arith.mulf %most, %w : f64
  %p = arith.mulf %g, %x fastmath<reassoc,contract> : f64
  %s = arith.addf %p, %p fastmath<reassoc,contract> : f64
  return %s : f64
}

// CHECK-LABEL: func.func @in_the_order_that_is_written
// CHECK: %[[P:.*]] = arith.mulf %{{.*}}, %arg0 : f64
// CHECK: arith.addf %[[P]], %[[P]]
func.func @in_the_order_that_is_written(%x: f64) -> f64 {
  %g = arith.constant 3.0 : f64
  %p = arith.mulf %g, %x : f64
  %s = arith.addf %p, %p fastmath<reassoc,contract> : f64
  return %s : f64
}
