// ad-expand on histograms: sums gather, products and extremes have their own rules, others are sorted by key.
// RUN: tapeless-opt --ad-expand --canonicalize --cse --soac-simplify --canonicalize --cse %s | filecheck %s

func.func private @counts(%n: index, %keys: tensor<?xi64>, %dest: tensor<?xf64>, %vs: tensor<?xf64>, %e: f64) -> tensor<?xf64> {
  %y = "soac.hist"(%n, %keys, %dest, %vs, %e) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// The destination keeps its adjoint; values gather the adjoint of their bin, zero for keys outside.
// CHECK-LABEL: func.func @counts_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[KEYS:[^:]*]]: tensor<?xi64>, %[[DEST:[^:]*]]: tensor<?xf64>,
// CHECK-SAME: %[[VS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64, %[[BAR:[^:]*]]: tensor<?xf64>
// CHECK: %[[BINS:.*]] = tensor.dim %[[BAR]]
// CHECK: %[[VS_BAR:.*]] = "soac.map"(%{{.*}}, %[[KEYS]])
// CHECK: %[[KEY:.*]] = arith.index_cast
// CHECK-NEXT: %[[INSIDE:.*]] = arith.cmpi ult, %[[KEY]], %[[BINS]]
// CHECK-NEXT: scf.if %[[INSIDE]]
// CHECK-NEXT: tensor.extract %[[BAR]][%[[KEY]]]
// CHECK-NOT: soac.hist
// CHECK: return %[[BAR]], %[[VS_BAR]]
func.func @counts_vjp(%n: index, %keys: tensor<?xi64>, %dest: tensor<?xf64>, %vs: tensor<?xf64>, %e: f64, %bar: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = "ad.vjp"(%n, %keys, %dest, %vs, %e, %bar) {
    callee = @counts, wrt = [2, 3], method = "redundant", operandSegmentSizes = array<i32: 5, 1>
  } : (index, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}

// CHECK-LABEL: func.func @counts_jvp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[KEYS:[^:]*]]: tensor<?xi64>, %[[DEST:[^:]*]]: tensor<?xf64>,
// CHECK-SAME: %[[VS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64, %[[DDEST:[^:]*]]: tensor<?xf64>,
// CHECK-SAME: %[[DVS:[^:]*]]: tensor<?xf64>
// CHECK: "soac.hist"(%[[N]], %[[KEYS]], %[[DDEST]], %[[DVS]], %{{.*}})
// CHECK-NOT: soac.hist
func.func @counts_jvp(%n: index, %keys: tensor<?xi64>, %dest: tensor<?xf64>, %vs: tensor<?xf64>, %e: f64, %ddest: tensor<?xf64>, %dvs: tensor<?xf64>) -> (tensor<?xf64>) {
  %r:2 = "ad.jvp"(%n, %keys, %dest, %vs, %e, %ddest, %dvs) {
    callee = @counts, wrt = [2, 3], method = "redundant", operandSegmentSizes = array<i32: 5, 2>
  } : (index, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, f64, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @products(%n: index, %keys: tensor<?xi64>, %dest: tensor<?xf64>, %vs: tensor<?xf64>, %e: f64) -> tensor<?xf64> {
  %y = "soac.hist"(%n, %keys, %dest, %vs, %e) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Each bin's product divided by the value; sorted and scanned when some product is zero.
// CHECK-LABEL: func.func @products_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[KEYS:[^:]*]]: tensor<?xi64>, %[[DEST:[^:]*]]: tensor<?xf64>,
// CHECK-SAME: %[[VS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64, %[[BAR:[^:]*]]: tensor<?xf64>
// CHECK: %[[RESULT:.*]] = "soac.hist"(%[[N]], %[[KEYS]], %[[DEST]], %[[VS]], %[[E]])
// CHECK: %[[SOME_ZERO:.*]] = "soac.reduce"
// CHECK: arith.ori
// CHECK: scf.if %[[SOME_ZERO]]
// CHECK: "soac.argsort"
// CHECK: } else {
// CHECK: %[[WHOLE:.*]] = "soac.map"(%{{.*}}, %[[RESULT]], %[[BAR]])
// CHECK: arith.divf
// CHECK: "soac.map"(%{{.*}}, %[[KEYS]], %[[VS]])
// CHECK: tensor.extract %[[WHOLE]]
// CHECK: arith.divf
// CHECK-NOT: soac.hist
// CHECK: return
func.func @products_vjp(%n: index, %keys: tensor<?xi64>, %dest: tensor<?xf64>, %vs: tensor<?xf64>, %e: f64, %bar: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = "ad.vjp"(%n, %keys, %dest, %vs, %e, %bar) {
    callee = @products, wrt = [2, 3], method = "redundant", operandSegmentSizes = array<i32: 5, 1>
  } : (index, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}

func.func private @largest(%n: index, %keys: tensor<?xi64>, %dest: tensor<?xf64>, %vs: tensor<?xf64>, %e: f64) -> tensor<?xf64> {
  %y = "soac.hist"(%n, %keys, %dest, %vs, %e) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.maximumf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// The destination wins ties, then the first value, which is asked for by an argmin histogram.
// CHECK-LABEL: func.func @largest_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[KEYS:[^:]*]]: tensor<?xi64>, %[[DEST:[^:]*]]: tensor<?xf64>,
// CHECK-SAME: %[[VS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64, %[[BAR:[^:]*]]: tensor<?xf64>
// CHECK: %[[RESULT:.*]] = "soac.hist"(%[[N]], %[[KEYS]], %[[DEST]], %[[VS]], %[[E]])
// CHECK: arith.maximumf
// CHECK: "soac.map"(%{{.*}}, %[[DEST]], %[[RESULT]]
// CHECK: %[[FIRST:.*]] = "soac.arg_hist"(%[[KEYS]], %[[VS]], %[[DEST]], %[[RESULT]])
// CHECK: "soac.map"(%{{.*}}, %[[KEYS]])
// CHECK: tensor.extract %[[FIRST]]
// CHECK-NOT: scf.for
// CHECK: return
func.func @largest_vjp(%n: index, %keys: tensor<?xi64>, %dest: tensor<?xf64>, %vs: tensor<?xf64>, %e: f64, %bar: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = "ad.vjp"(%n, %keys, %dest, %vs, %e, %bar) {
    callee = @largest, wrt = [2, 3], method = "redundant", operandSegmentSizes = array<i32: 5, 1>
  } : (index, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}

func.func private @general(%n: index, %keys: tensor<?xi64>, %dest: tensor<?xf64>, %vs: tensor<?xf64>, %e: f64) -> tensor<?xf64> {
  %y = "soac.hist"(%n, %keys, %dest, %vs, %e) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    %d = arith.addf %a, %b : f64
    %g = arith.addf %c, %d : f64
    "soac.yield"(%g) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Values in order of their keys, scanned within each bin from both ends, their adjoints put back.
// CHECK-LABEL: func.func @general_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[KEYS:[^:]*]]: tensor<?xi64>, %[[DEST:[^:]*]]: tensor<?xf64>,
// CHECK-SAME: %[[VS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64, %[[BAR:[^:]*]]: tensor<?xf64>
// CHECK: %[[CLAMPED:.*]] = "soac.map"(%[[N]], %[[KEYS]])
// CHECK: %[[ORDER:.*]] = "soac.argsort"(%[[CLAMPED]])
// CHECK: %[[SORTED_KEYS:.*]] = "soac.map"(%[[N]], %[[ORDER]])
// CHECK: %[[SORTED:.*]] = "soac.map"(%[[N]], %[[ORDER]])
// CHECK: tensor.extract %[[VS]]
// CHECK: %[[LEFT:.*]]:2 = "soac.scan"
// CHECK: exclusive = false{{.*}}reverse = false
// CHECK: %[[RIGHT:.*]]:2 = "soac.scan"
// CHECK: exclusive = false{{.*}}reverse = true
// CHECK: %[[SORTED_BAR:.*]] = "soac.map"(%[[N]], %[[SORTED_KEYS]], {{.*}}%[[LEFT]]#1, {{.*}}%[[RIGHT]]#1)
// CHECK: tensor.extract %[[BAR]]
// CHECK: %[[VS_BAR:.*]] = "soac.scatter"(%[[N]], %{{.*}}, %[[ORDER]], %[[SORTED_BAR]])
// CHECK: return %[[VS_BAR]]
func.func @general_vjp(%n: index, %keys: tensor<?xi64>, %dest: tensor<?xf64>, %vs: tensor<?xf64>, %e: f64, %bar: tensor<?xf64>) -> (tensor<?xf64>) {
  %r:2 = "ad.vjp"(%n, %keys, %dest, %vs, %e, %bar) {
    callee = @general, wrt = [3], method = "redundant", operandSegmentSizes = array<i32: 5, 1>
  } : (index, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
