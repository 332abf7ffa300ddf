// What the regions of any operation read is alive, also of operations that the pass knows nothing about.
// RUN: tapeless-opt --soac-simplify %s | filecheck %s

// The first round takes something away, so that there is a second one.
// CHECK-LABEL: func.func @pad
// CHECK-NOT: math.exp
// CHECK: %[[TWICE:.*]] = arith.addf
// CHECK: tensor.pad
// CHECK: tensor.yield %[[TWICE]] : f32
func.func @pad(%a: tensor<4xf32>, %x: f32) -> tensor<6xf32> {
  %dead = math.exp %x : f32
  %z = arith.addf %x, %x : f32
  %p = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %p : tensor<6xf32>
}

// `scf.yield` ends regions that are taken apart, and here one that is not; canonicalization moves it out afterwards.
// CHECK-LABEL: func.func @execute_region
// CHECK: %[[MADE:.*]] = tensor.splat
// CHECK: return %[[MADE]]
func.func @execute_region(%x: f32, %c: i1) -> tensor<4xf32> {
  %dead = math.exp %x : f32
  %y = scf.execute_region -> tensor<4xf32> {
    cf.cond_br %c, ^one, ^two
  ^one:
    cf.br ^two
  ^two:
    %z = tensor.splat %x : tensor<4xf32>
    scf.yield %z : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @index_switch
// CHECK: arith.mulf
// CHECK: scf.yield
// CHECK: arith.addf
// CHECK: scf.yield
func.func @index_switch(%x: f32, %i: index) -> f32 {
  %dead = math.exp %x : f32
  %y = scf.index_switch %i -> f32
  case 2 {
    %e = arith.mulf %x, %x : f32
    scf.yield %e : f32
  }
  default {
    %e = arith.addf %x, %x : f32
    scf.yield %e : f32
  }
  return %y : f32
}
