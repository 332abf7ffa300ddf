// Sums that soac-distribute-nests changes before it distributes maps.
// RUN: tapeless-opt --soac-distribute-nests="least-bytes=0 fewest-bytes=0" %s | filecheck %s

// A matrix that outer iterations share is applied once, to the sum of what they apply it to.
// CHECK-LABEL: func.func @linear
// CHECK-SAME: (%[[N:.*]]: index, %[[F:.*]]: tensor<30x4x4xf64>, %[[Y:.*]]: tensor<?x30x4xf64>)
// CHECK: "soac.fused"
// CHECK: tensor.extract %[[Y]]
// CHECK: %[[RUNS:.*]] = arith.maxsi
// CHECK: "soac.map"(%[[RUNS]])
// CHECK: "soac.map"(%c30)
// CHECK: %[[SUM:.*]] = "soac.map"(%c30)
// CHECK: %[[OUT:.*]] = "soac.map"(%c30, %[[F]], %[[SUM]])
// CHECK: "soac.map"(%c4)
// CHECK: "soac.fused"(%c4
// CHECK: arith.mulf
// CHECK: arith.negf
// CHECK: return %[[OUT]]
func.func @linear(%n: index, %f: tensor<30x4x4xf64>, %y: tensor<?x30x4xf64>) -> tensor<30x4xf64> {
  %c30 = arith.constant 30 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f64
  %zeros = tensor.splat %zero : tensor<30x4xf64>
  %g = "soac.with_acc"(%zeros) ({
  ^bb0(%acc: !soac.acc<tensor<30x4xf64>>):
    %all = "soac.map"(%n, %y, %acc) ({
    ^bb0(%p: index, %yn: tensor<30x4xf64>, %a: !soac.acc<tensor<30x4xf64>>):
      %b = "soac.map"(%c30, %f, %yn, %a) ({
      ^bb0(%k: index, %fk: tensor<4x4xf64>, %yk: tensor<4xf64>, %c: !soac.acc<tensor<30x4xf64>>):
        %row = "soac.map"(%c4) ({
        ^bb0(%j: index):
          %s = "soac.fused"(%c4, %fk, %yk, %zero) ({
          ^bb0(%i: index, %fi: tensor<4xf64>, %yi: f64):
            %e = tensor.extract %fi[%j] : tensor<4xf64>
            %m = arith.mulf %yi, %e fastmath<reassoc,contract> : f64
            "soac.yield"(%m) : (f64) -> ()
          }, {
          ^bb0(%one: f64, %other: f64):
            %t = arith.addf %one, %other fastmath<contract> : f64
            "soac.yield"(%t) : (f64) -> ()
          }, {}) {operandSegmentSizes = array<i32: 1, 2, 1, 0>} : (index, tensor<4x4xf64>, tensor<4xf64>, f64) -> f64
          "soac.yield"(%s) : (f64) -> ()
        }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<4xf64>
        %turned = "soac.map"(%c4, %row) ({
        ^bb0(%j: index, %r: f64):
          %minus = arith.negf %r fastmath<reassoc,contract> : f64
          "soac.yield"(%minus) : (f64) -> ()
        }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<4xf64>) -> tensor<4xf64>
        %u = "soac.update"(%c, %k, %turned) : (!soac.acc<tensor<30x4xf64>>, index, tensor<4xf64>) -> !soac.acc<tensor<30x4xf64>>
        "soac.yield"(%u) : (!soac.acc<tensor<30x4xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<30x4x4xf64>, tensor<30x4xf64>, !soac.acc<tensor<30x4xf64>>) -> !soac.acc<tensor<30x4xf64>>
      "soac.yield"(%b) : (!soac.acc<tensor<30x4xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?x30x4xf64>, !soac.acc<tensor<30x4xf64>>) -> !soac.acc<tensor<30x4xf64>>
    "soac.yield"(%all) : (!soac.acc<tensor<30x4xf64>>) -> ()
  }) : (tensor<30x4xf64>) -> tensor<30x4xf64>
  return %g : tensor<30x4xf64>
}

// Products with a matrix that were made before and kept: what it was applied to is added up instead.
// CHECK-LABEL: func.func @kept
// CHECK-SAME: (%[[N:.*]]: index, %[[F:.*]]: tensor<30x4x4xf64>, %[[X:.*]]: tensor<?x4xf64>, %[[W:.*]]: tensor<?x30xf64>)
// CHECK: tensor.extract %[[W]]
// CHECK: %[[OUT:.*]] = "soac.map"(%c30, %[[F]], %{{.*}})
// CHECK: "soac.fused"(%c4
// CHECK: arith.mulf
// CHECK: return %[[OUT]]
func.func @kept(%n: index, %f: tensor<30x4x4xf64>, %x: tensor<?x4xf64>, %w: tensor<?x30xf64>) -> tensor<30x4x4xf64> {
  %c30 = arith.constant 30 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f64
  %zeros = tensor.splat %zero : tensor<30x4x4xf64>
  %g = "soac.with_acc"(%zeros) ({
  ^bb0(%acc: !soac.acc<tensor<30x4x4xf64>>):
    %all = "soac.map"(%n, %x, %w, %acc) ({
    ^bb0(%p: index, %xn: tensor<4xf64>, %wn: tensor<30xf64>, %a: !soac.acc<tensor<30x4x4xf64>>):
      %y = "soac.map"(%c30, %f) ({
      ^bb0(%k: index, %fk: tensor<4x4xf64>):
        %row = "soac.map"(%c4, %fk) ({
        ^bb0(%i: index, %fi: tensor<4xf64>):
          %s = "soac.fused"(%c4, %fi, %xn, %zero) ({
          ^bb0(%j: index, %fij: f64, %xj: f64):
            %m = arith.mulf %fij, %xj fastmath<contract> : f64
            "soac.yield"(%m) : (f64) -> ()
          }, {
          ^bb0(%one: f64, %other: f64):
            %t = arith.addf %one, %other fastmath<contract> : f64
            "soac.yield"(%t) : (f64) -> ()
          }, {}) {operandSegmentSizes = array<i32: 1, 2, 1, 0>} : (index, tensor<4xf64>, tensor<4xf64>, f64) -> f64
          "soac.yield"(%s) : (f64) -> ()
        }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<4x4xf64>) -> tensor<4xf64>
        "soac.yield"(%row) : (tensor<4xf64>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<30x4x4xf64>) -> tensor<30x4xf64>
      %b = "soac.map"(%c30, %y, %wn, %a) ({
      ^bb0(%k: index, %yk: tensor<4xf64>, %wk: f64, %c: !soac.acc<tensor<30x4x4xf64>>):
        %rows = "soac.map"(%c4, %yk) ({
        ^bb0(%i: index, %yi: f64):
          %v = arith.mulf %wk, %yi fastmath<reassoc,contract> : f64
          %row = "soac.map"(%c4, %xn) ({
          ^bb0(%j: index, %xj: f64):
            %m = arith.mulf %v, %xj fastmath<reassoc,contract> : f64
            "soac.yield"(%m) : (f64) -> ()
          }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<4xf64>) -> tensor<4xf64>
          "soac.yield"(%row) : (tensor<4xf64>) -> ()
        }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<4xf64>) -> tensor<4x4xf64>
        %u = "soac.update"(%c, %k, %rows) : (!soac.acc<tensor<30x4x4xf64>>, index, tensor<4x4xf64>) -> !soac.acc<tensor<30x4x4xf64>>
        "soac.yield"(%u) : (!soac.acc<tensor<30x4x4xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<30x4xf64>, tensor<30xf64>, !soac.acc<tensor<30x4x4xf64>>) -> !soac.acc<tensor<30x4x4xf64>>
      "soac.yield"(%b) : (!soac.acc<tensor<30x4x4xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?x4xf64>, tensor<?x30xf64>, !soac.acc<tensor<30x4x4xf64>>) -> !soac.acc<tensor<30x4x4xf64>>
    "soac.yield"(%all) : (!soac.acc<tensor<30x4x4xf64>>) -> ()
  }) : (tensor<30x4x4xf64>) -> tensor<30x4x4xf64>
  return %g : tensor<30x4x4xf64>
}

// What each of few iterations sums for itself, at places that are data, all of them add to one array.
// CHECK-LABEL: func.func @outward
// CHECK: scf.if
// CHECK: %[[ZEROS:.*]] = tensor.splat %{{.*}} : tensor<?x7xf64>
// CHECK: %[[ALL:.*]] = "soac.with_acc"(%[[ZEROS]]) ({
// CHECK: "soac.map"
// CHECK-NEXT: ^bb0(%[[K:.*]]: index, %{{.*}}: tensor<5x6xf64>, %{{.*}}: !soac.acc<tensor<?x7xf64>>):
// CHECK: "soac.update"(%{{.*}}, %[[K]], %{{.*}}, %{{.*}})
// CHECK: "soac.map"(%{{.*}}, %[[ALL]])
// Otherwise each has one of its own.
// CHECK: else
// CHECK: "soac.with_acc"
func.func @outward(%n: index, %v: tensor<?x5x6xf64>, %places: tensor<5x6xindex>) -> tensor<?x7xf64> {
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f64
  %r = "soac.map"(%n, %v) ({
  ^bb0(%k: index, %vk: tensor<5x6xf64>):
    %zeros = tensor.splat %zero : tensor<7xf64>
    %s = "soac.with_acc"(%zeros) ({
    ^bb0(%acc: !soac.acc<tensor<7xf64>>):
      %all = "soac.map"(%c5, %vk, %places, %acc) ({
      ^bb0(%i: index, %vi: tensor<6xf64>, %pi: tensor<6xindex>, %a: !soac.acc<tensor<7xf64>>):
        %b = "soac.map"(%c6, %vi, %pi, %a) ({
        ^bb0(%j: index, %e: f64, %p: index, %c: !soac.acc<tensor<7xf64>>):
          %u = "soac.update"(%c, %p, %e) : (!soac.acc<tensor<7xf64>>, index, f64) -> !soac.acc<tensor<7xf64>>
          "soac.yield"(%u) : (!soac.acc<tensor<7xf64>>) -> ()
        }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<6xf64>, tensor<6xindex>, !soac.acc<tensor<7xf64>>) -> !soac.acc<tensor<7xf64>>
        "soac.yield"(%b) : (!soac.acc<tensor<7xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<5x6xf64>, tensor<5x6xindex>, !soac.acc<tensor<7xf64>>) -> !soac.acc<tensor<7xf64>>
      "soac.yield"(%all) : (!soac.acc<tensor<7xf64>>) -> ()
    }) : (tensor<7xf64>) -> tensor<7xf64>
    %t = "soac.map"(%c7, %s) ({
    ^bb0(%j: index, %e: f64):
      %twice = arith.addf %e, %e : f64
      "soac.yield"(%twice) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<7xf64>) -> tensor<7xf64>
    "soac.yield"(%t) : (tensor<7xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x5x6xf64>) -> tensor<?x7xf64>
  return %r : tensor<?x7xf64>
}

// Rows of an array with both axes are reduced in one map, whose threads may share a row.
// CHECK-LABEL: func.func @flat
// CHECK: %[[FLAT:.*]] = tensor.reshape %{{.*}} : (tensor<?x?x?xf64>, tensor<2xindex>) -> tensor<?x?xf64>
// CHECK: %[[SUMS:.*]] = "soac.map"(%{{.*}}, %[[FLAT]]) ({
// CHECK: arith.remui
// CHECK: tensor.extract
// CHECK: tensor.reshape %[[SUMS]]
func.func @flat(%n: index, %k: index, %d: index, %y: tensor<?x?x?xf64>, %w: tensor<?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %r = "soac.map"(%n, %y) ({
  ^bb0(%i: index, %yi: tensor<?x?xf64>):
    %s = "soac.map"(%k, %yi, %w) ({
    ^bb0(%j: index, %row: tensor<?xf64>, %wj: f64):
      %t = "soac.fused"(%d, %row, %zero) ({
      ^bb0(%l: index, %e: f64):
        %q = arith.mulf %e, %e : f64
        "soac.yield"(%q) : (f64) -> ()
      }, {
      ^bb0(%a: f64, %b: f64):
        %u = arith.addf %a, %b : f64
        "soac.yield"(%u) : (f64) -> ()
      }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?xf64>, f64) -> f64
      %v = arith.mulf %t, %wj : f64
      "soac.yield"(%v) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%s) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?x?xf64>) -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

// Rows of equal elements are added element by element, too.
// CHECK-LABEL: func.func @equal
// CHECK-SAME: (%[[N:.*]]: index, %[[D:.*]]: index
// CHECK: "soac.map"(%[[N]]
// CHECK: ^bb0(%{{.*}}: index, %[[K:.*]]: index, %[[E:.*]]: f64,
// CHECK: "soac.map"(%[[D]]
// CHECK-NEXT: ^bb0(%[[I:.*]]: index,
// CHECK: "soac.map"(%c3
// CHECK-NEXT: ^bb0(%[[J:.*]]: index,
// CHECK: "soac.update"(%{{.*}}, %[[K]], %[[I]], %[[J]], %[[E]]) {soac.in_bounds}
// CHECK-NOT: tensor.splat
// CHECK: return
func.func @equal(%n: index, %d: index, %zeros: tensor<?x?x3xf64>, %places: tensor<?xindex>, %e: tensor<?xf64>) -> tensor<?x?x3xf64> {
  %out = "soac.with_acc"(%zeros) ({
  ^bb0(%a: !soac.acc<tensor<?x?x3xf64>>):
    %b = "soac.map"(%n, %places, %e, %a) ({
    ^bb0(%i: index, %k: index, %x: f64, %c: !soac.acc<tensor<?x?x3xf64>>):
      %row = tensor.splat %x[%d] : tensor<?x3xf64>
      %u = "soac.update"(%c, %k, %row) {soac.in_bounds} : (!soac.acc<tensor<?x?x3xf64>>, index, tensor<?x3xf64>) -> !soac.acc<tensor<?x?x3xf64>>
      "soac.yield"(%u) : (!soac.acc<tensor<?x?x3xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xindex>, tensor<?xf64>, !soac.acc<tensor<?x?x3xf64>>) -> !soac.acc<tensor<?x?x3xf64>>
    "soac.yield"(%b) : (!soac.acc<tensor<?x?x3xf64>>) -> ()
  }) : (tensor<?x?x3xf64>) -> tensor<?x?x3xf64>
  return %out : tensor<?x?x3xf64>
}

// Iterations that look for the place of a row: search and sums together, where blocks have room, else apart.
// CHECK-LABEL: func.func @together
// CHECK: arith.cmpi sle, %{{.*}}, %c65536
// CHECK: arith.andi
// CHECK: %[[ROOM:.*]] = arith.andi
// CHECK: scf.if %[[ROOM]]
// CHECK-NEXT: "soac.with_acc"
// CHECK: "soac.map"
// CHECK: "soac.fused"
// CHECK: "soac.update"
// CHECK: } else {
// CHECK: "soac.with_acc"
// CHECK: %[[FOUND:.*]] = "soac.map"
// CHECK: "soac.fused"
// CHECK: "soac.map"(%{{.*}}, %{{.*}}, %[[FOUND]]
// CHECK: "soac.update"
// CHECK: {tapeless.variants}
func.func @together(%x: tensor<?x?xf64>, %c: tensor<?x?xf64>, %zeros: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %d = tensor.dim %x, %c1 : tensor<?x?xf64>
  %k = tensor.dim %c, %c0 : tensor<?x?xf64>
  %out = "soac.with_acc"(%zeros) ({
  ^bb0(%a: !soac.acc<tensor<?x?xf64>>):
    %b = "soac.map"(%n, %x, %a) ({
    ^bb0(%i: index, %row: tensor<?xf64>, %e: !soac.acc<tensor<?x?xf64>>):
      %place = "soac.fused"(%k, %c, %c0) ({
      ^bb0(%j: index, %other: tensor<?xf64>):
        %s = "soac.fused"(%d, %row, %other, %zero) ({
        ^bb0(%l: index, %p: f64, %q: f64):
          %m = arith.mulf %p, %q : f64
          "soac.yield"(%m) : (f64) -> ()
        }, {
        ^bb0(%p: f64, %q: f64):
          %m = arith.addf %p, %q : f64
          "soac.yield"(%m) : (f64) -> ()
        }, {
        }) {operandSegmentSizes = array<i32: 1, 2, 1, 0>} : (index, tensor<?xf64>, tensor<?xf64>, f64) -> f64
        %is = arith.cmpf olt, %s, %zero : f64
        %w = arith.select %is, %c0, %j : index
        "soac.yield"(%w) : (index) -> ()
      }, {
      ^bb0(%p: index, %q: index):
        %m = arith.maxsi %p, %q : index
        "soac.yield"(%m) : (index) -> ()
      }, {
      }) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?x?xf64>, index) -> index
      %twice = "soac.map"(%d, %row) ({
      ^bb0(%l: index, %p: f64):
        %m = arith.addf %p, %p : f64
        "soac.yield"(%m) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
      %u = "soac.update"(%e, %place, %twice) {soac.in_bounds} : (!soac.acc<tensor<?x?xf64>>, index, tensor<?xf64>) -> !soac.acc<tensor<?x?xf64>>
      "soac.yield"(%u) : (!soac.acc<tensor<?x?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?x?xf64>, !soac.acc<tensor<?x?xf64>>) -> !soac.acc<tensor<?x?xf64>>
    "soac.yield"(%b) : (!soac.acc<tensor<?x?xf64>>) -> ()
  }) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %out : tensor<?x?xf64>
}

// Rows that threads would sum in memory of their own are sums of elements, if the widths are those of the rows.
// CHECK-LABEL: func.func @rows_inside
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[M:.*]], %[[L:.*]] : index
// CHECK: scf.if %[[SAME]]
// CHECK: "soac.map"(%arg0, %arg1) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[ROW:.*]]: tensor<?xf64>):
// CHECK-NEXT: "soac.map"(%[[L]]) ({
// CHECK-NEXT: ^bb0(%[[J:.*]]: index):
// CHECK-NEXT: "soac.fused"(%{{.*}}, %arg2, %{{.*}}) ({
// CHECK-NEXT: ^bb0(%[[P:.*]]: index, %[[V:.*]]: tensor<?xf64>):
// CHECK: tensor.extract %[[ROW]][%[[P]]]
// CHECK: tensor.extract %[[V]][%[[J]]]
// CHECK: } else {
// CHECK: "soac.with_acc"
// CHECK: tapeless.variants
func.func @rows_inside(%n: index, %g: tensor<?x?xf64>, %w: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %k = tensor.dim %w, %c0 : tensor<?x?xf64>
  %m = tensor.dim %w, %c1 : tensor<?x?xf64>
  %l = tensor.dim %g, %c1 : tensor<?x?xf64>
  %y = "soac.map"(%n, %g) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %zeros = tensor.splat %zero[%l] : tensor<?xf64>
    %s = "soac.with_acc"(%zeros) ({
    ^bb0(%acc: !soac.acc<tensor<?xf64>>):
      %a = "soac.map"(%k, %w, %row, %acc) ({
      ^bb0(%p: index, %wr: tensor<?xf64>, %x: f64, %acc0: !soac.acc<tensor<?xf64>>):
        %b = "soac.map"(%m, %wr, %acc0) ({
        ^bb0(%j: index, %v: f64, %acc1: !soac.acc<tensor<?xf64>>):
          %t = arith.mulf %x, %v : f64
          %u = "soac.update"(%acc1, %j, %t) {soac.in_bounds} : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
          "soac.yield"(%u) : (!soac.acc<tensor<?xf64>>) -> ()
        }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
        "soac.yield"(%b) : (!soac.acc<tensor<?xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?x?xf64>, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%a) : (!soac.acc<tensor<?xf64>>) -> ()
    }) : (tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%s) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}
