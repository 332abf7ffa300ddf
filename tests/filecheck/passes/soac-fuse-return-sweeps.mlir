// soac-fuse merges maps before sums where there are accumulators, so that a primal sum is computed with its return sweep.
// RUN: tapeless-opt --soac-fuse %s | filecheck %s

// The primal sums sines row by row, the return sweep needs the same sines: one map per level, with one sine in it.
// CHECK-LABEL: func.func @sum_beside_its_adjoint
// CHECK: "soac.with_acc"
// CHECK: %[[OUTER:.*]]:2 = "soac.map"(%{{.*}}, %arg0, %{{.*}}) ({
// CHECK: %[[SCALE:.*]] = arith.mulf
// CHECK: %[[INNER:.*]]:2 = "soac.map"(%{{.*}}, %{{.*}}, %{{.*}}) ({
// CHECK: math.sin
// CHECK-NOT: math.sin
// CHECK: soac.update
// CHECK: "soac.reduce"(%{{.*}}, %[[INNER]]#0, %{{.*}})
// CHECK: "soac.reduce"(%{{.*}}, %{{.*}}#1, %{{.*}})
// CHECK-NOT: math.sin
func.func @sum_beside_its_adjoint(%x: tensor<8x8xf64>, %bar: tensor<8xf64>) -> (f64, tensor<8xf64>) {
  %n = arith.constant 8 : index
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %rows = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %row: tensor<8xf64>):
    %sines = "soac.map"(%n, %row) ({
    ^bb0(%j: index, %a: f64):
      %s = math.sin %a : f64
      "soac.yield"(%s) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<8xf64>) -> tensor<8xf64>
    %sum = "soac.reduce"(%n, %sines, %zero) ({
    ^bb0(%a: f64, %b: f64):
      %t = arith.addf %a, %b : f64
      "soac.yield"(%t) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<8xf64>, f64) -> f64
    "soac.yield"(%sum) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<8x8xf64>) -> tensor<8xf64>
  %total = "soac.reduce"(%n, %rows, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %t = arith.addf %a, %b : f64
    "soac.yield"(%t) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<8xf64>, f64) -> f64
  %result = "soac.with_acc"(%bar) ({
  ^bb0(%acc: !soac.acc<tensor<8xf64>>):
    %after = "soac.map"(%n, %x, %acc) ({
    ^bb0(%i: index, %row: tensor<8xf64>, %outer: !soac.acc<tensor<8xf64>>):
      %position = arith.index_cast %i : index to i64
      %number = arith.sitofp %position : i64 to f64
      %scale = arith.mulf %number, %two : f64
      %inner = "soac.map"(%n, %row, %outer) ({
      ^bb0(%j: index, %a: f64, %own: !soac.acc<tensor<8xf64>>):
        %s = math.sin %a : f64
        %scaled = arith.mulf %s, %scale : f64
        %wrapped = arith.remsi %i, %n : index
        %next = "soac.update"(%own, %wrapped, %scaled) : (!soac.acc<tensor<8xf64>>, index, f64) -> !soac.acc<tensor<8xf64>>
        "soac.yield"(%next) : (!soac.acc<tensor<8xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<8xf64>, !soac.acc<tensor<8xf64>>) -> !soac.acc<tensor<8xf64>>
      "soac.yield"(%inner) : (!soac.acc<tensor<8xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<8x8xf64>, !soac.acc<tensor<8xf64>>) -> !soac.acc<tensor<8xf64>>
    "soac.yield"(%after) : (!soac.acc<tensor<8xf64>>) -> ()
  }) : (tensor<8xf64>) -> tensor<8xf64>
  return %total, %result : f64, tensor<8xf64>
}
