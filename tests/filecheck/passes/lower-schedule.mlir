// The form of every operator, as text: for one thread, for several, for a GPU, and for the oracle.
// RUN: tapeless-opt --lower-plan-storage --lower-schedule %s | filecheck %s --check-prefixes CHECK,ONE
// RUN: tapeless-opt --lower-plan-storage --lower-schedule="threads=4 deterministic=false" %s | filecheck %s --check-prefixes CHECK,FOUR
// RUN: tapeless-opt --lower-plan-storage=target=cuda --lower-schedule=target=cuda %s | filecheck %s --check-prefixes CHECK,CUDA
// RUN: tapeless-opt --lower-plan-storage=sequential=true --lower-schedule=sequential=true %s | filecheck %s --check-prefixes CHECK,ORACLE

// A function has what its operators are scheduled for.
// CHECK-LABEL: func.func @squares
// ONE-SAME: tapeless.scheduled = {sequential = false, target = "cpu", threads = 1 : i64}
// FOUR-SAME: tapeless.scheduled = {sequential = false, target = "cpu", threads = 4 : i64}
// CUDA-SAME: tapeless.scheduled = {sequential = false, target = "cuda", threads = 1 : i64}
// ORACLE-SAME: tapeless.scheduled = {sequential = true, target = "cpu", threads = 1 : i64}
// ONE: soac.schedule = {form = "in order"}
// FOUR: soac.schedule = {form = "parts", smallest = 16384 : i64}
// CUDA: soac.schedule = {form = "launch"}
// ORACLE: soac.schedule = {form = "in order"}
func.func @squares(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %s = arith.mulf %e, %e : f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Inner operators run in order. Where lengths of rows decide, emission has them compared.
// CHECK-LABEL: func.func @sums_of_rows
// CHECK: "soac.reduce"
// CHECK: soac.schedule = {form = "in order"}
// ONE: soac.schedule = {form = "parts", smallest = 1024 : i64}
// CUDA: soac.schedule = {form = "teams", has_columns = false}
func.func @sums_of_rows(%n: index, %m: index, %x: tensor<?x?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %s = "soac.reduce"(%m, %row, %zero) ({
    ^bb0(%a: f64, %b: f64):
      %c = arith.addf %a, %b : f64
      "soac.yield"(%c) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// A reduction keeps the minima of its blocks for the search after it, which is known here and nowhere else.
// CHECK-LABEL: func.func @first_smallest
// ONE: soac.schedule = {form = "blocks", keeps = array<i64: 0>, smallest = 16384 : i64}
// ONE: soac.schedule = {form = "search"}
// CUDA: soac.schedule = {form = "tree", is_free = true}
// CUDA: soac.schedule = {form = "tree", is_free = true}
// ORACLE: soac.schedule = {form = "in order"}
// ORACLE: soac.schedule = {form = "in order"}
func.func @first_smallest(%n: index, %x: tensor<?xf64>) -> index {
  %inf = arith.constant 0x7FF0000000000000 : f64
  %m = "soac.reduce"(%n, %x, %inf) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.minimumf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  %first = "soac.fused"(%n, %x, %n) ({
  ^bb0(%i: index, %e: f64):
    %is = arith.cmpf ueq, %e, %m : f64
    %place = arith.select %is, %i, %n : index
    "soac.yield"(%place) : (index) -> ()
  }, {
  ^bb0(%a: index, %b: index):
    %c = arith.minsi %a, %b : index
    "soac.yield"(%c) : (index) -> ()
  }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?xf64>, index) -> index
  return %first : index
}

// Rows that iterations add are taken apart by columns: the maps that add them say so. A sum that starts from a number
// needs no fill.
// CHECK-LABEL: func.func @rows_added
// CUDA: tensor.splat {{.*}}tapeless.start
// CHECK: "soac.update"
// CUDA: soac.schedule = {form = "column"}
// CUDA: soac.schedule = {columns = "direct", form = "exact", most = 16384 : i64}
// ONE: soac.schedule = {form = "in order"}
// ONE: soac.schedule = {are_fixed = true, asks_first = false, form = "copies", most = 64 : i64}
// FOUR: soac.schedule = {form = "in order"}
// FOUR: soac.schedule = {are_fixed = false, asks_first = false, form = "copies", may_share = true, most = 16 : i64}
func.func @rows_added(%n: index, %k: index, %m: index, %keys: tensor<?xindex>, %x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %start = tensor.splat %zero[%k, %m] : tensor<?x?xf64>
  %sum = "soac.with_acc"(%start) ({
  ^bb0(%acc: !soac.acc<tensor<?x?xf64>>):
    %done = "soac.map"(%n, %keys, %x, %acc) ({
    ^bb0(%i: index, %key: index, %row: tensor<?xf64>, %mine: !soac.acc<tensor<?x?xf64>>):
      %added = "soac.map"(%m, %row, %mine) ({
      ^bb0(%j: index, %e: f64, %inner: !soac.acc<tensor<?x?xf64>>):
        %next = "soac.update"(%inner, %key, %j, %e) : (!soac.acc<tensor<?x?xf64>>, index, index, f64) -> !soac.acc<tensor<?x?xf64>>
        "soac.yield"(%next) : (!soac.acc<tensor<?x?xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?x?xf64>>) -> !soac.acc<tensor<?x?xf64>>
      "soac.yield"(%added) : (!soac.acc<tensor<?x?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xindex>, tensor<?x?xf64>, !soac.acc<tensor<?x?xf64>>) -> !soac.acc<tensor<?x?xf64>>
    "soac.yield"(%done) : (!soac.acc<tensor<?x?xf64>>) -> ()
  }) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %sum : tensor<?x?xf64>
}

// The smallest element of a row with its place: its operator only compares and selects, and its operands may change
// places.
// CHECK-LABEL: func.func @first_smallest_of_rows
// CHECK: "soac.fused"
// CUDA: soac.schedule = {form = "teams", has_columns = false}
func.func @first_smallest_of_rows(%n: index, %m: index, %x: tensor<?x?xf64>) -> tensor<?xindex> {
  %most = arith.constant 0x7FF0000000000000 : f64
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %s:2 = "soac.fused"(%m, %row, %most, %m) ({
    ^bb0(%j: index, %e: f64):
      "soac.yield"(%e, %j) : (f64, index) -> ()
    }, {
    ^bb0(%a: f64, %p: index, %b: f64, %q: index):
      %least = arith.minimumf %a, %b : f64
      %left = arith.cmpf ueq, %a, %least : f64
      %right = arith.cmpf ueq, %b, %least : f64
      %first = arith.minsi %p, %q : index
      %own = arith.select %right, %first, %p : index
      %place = arith.select %left, %own, %q : index
      "soac.yield"(%least, %place) : (f64, index) -> ()
    }, {
    }) {operandSegmentSizes = array<i32: 1, 1, 2, 0>} : (index, tensor<?xf64>, f64, index) -> (f64, index)
    "soac.yield"(%s#1) : (index) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xindex>
  return %y : tensor<?xindex>
}

// The last element that is not zero depends on the order.
// CHECK-LABEL: func.func @last_of_rows
// CUDA-NOT: form = "teams"
// CUDA: return
func.func @last_of_rows(%n: index, %m: index, %x: tensor<?x?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %s = "soac.reduce"(%m, %row, %zero) ({
    ^bb0(%a: f64, %b: f64):
      %none = arith.cmpf oeq, %b, %zero : f64
      %last = arith.select %none, %a, %b : f64
      "soac.yield"(%last) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Of two arrays that iterations add to, one at places that are data, the other one may have copies.
// CHECK-LABEL: func.func @two_sums
// CUDA: soac.schedule = {beside = array<i64: 1>, form = "exact", most = 16384 : i64}
func.func @two_sums(%n: index, %m: index, %keys: tensor<?xindex>, %x: tensor<?x?xf64>, %a: tensor<?xf64>, %b: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %sums:2 = "soac.with_acc"(%a, %b) ({
  ^bb0(%groups: !soac.acc<tensor<?xf64>>, %columns: !soac.acc<tensor<?xf64>>):
    %done:2 = "soac.map"(%n, %keys, %x, %groups, %columns) ({
    ^bb0(%i: index, %key: index, %row: tensor<?xf64>, %mine: !soac.acc<tensor<?xf64>>, %own: !soac.acc<tensor<?xf64>>):
      %next = "soac.update"(%mine, %key, %one) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      %added = "soac.map"(%m, %row, %own) ({
      ^bb0(%j: index, %e: f64, %inner: !soac.acc<tensor<?xf64>>):
        %after = "soac.update"(%inner, %j, %e) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
        "soac.yield"(%after) : (!soac.acc<tensor<?xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%next, %added) : (!soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 2>} : (index, tensor<?xindex>, tensor<?x?xf64>, !soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>) -> (!soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>)
    "soac.yield"(%done#0, %done#1) : (!soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %sums#0, %sums#1 : tensor<?xf64>, tensor<?xf64>
}

// Columns that iterations take out of an array are reduced where they lie.
// CHECK-LABEL: func.func @columns_of_array
// CUDA: soac.schedule = {form = "teams", has_columns = true}
func.func @columns_of_array(%n: index, %m: index, %x: tensor<?x?xf64>, %w: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %y = "soac.map"(%m) ({
  ^bb0(%j: index):
    %column = tensor.extract_slice %x[0, %j] [%n, 1] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %s = "soac.fused"(%n, %column, %w, %zero) ({
    ^bb0(%i: index, %a: f64, %b: f64):
      %p = arith.mulf %a, %b : f64
      "soac.yield"(%p) : (f64) -> ()
    }, {
    ^bb0(%a: f64, %b: f64):
      %c = arith.addf %a, %b : f64
      "soac.yield"(%c) : (f64) -> ()
    }, {}) {operandSegmentSizes = array<i32: 1, 2, 1, 0>} : (index, tensor<?xf64>, tensor<?xf64>, f64) -> f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
