// For GPUs, arrays to which iterations add at places that they compute become histograms: by elements, and by rows.
// RUN: tapeless-opt --soac-parallelise=bins=true %s | filecheck %s
// RUN: tapeless-opt --soac-parallelise %s | filecheck %s --check-prefix=PLAIN

// CHECK-LABEL: func.func @elements
// CHECK: %[[MADE:.*]]:2 = "soac.map"(%{{.*}}, %{{.*}}, %{{.*}}) ({
// CHECK: %[[NEGATED:.*]] = arith.negf
// CHECK: "soac.yield"(%{{.*}}, %[[NEGATED]]) : (i64, f64) -> ()
// CHECK: "soac.hist"(%{{.*}}, %[[MADE]]#0, %{{.*}}, %[[MADE]]#1, %{{.*}}) ({
// CHECK: arith.addf
// PLAIN-LABEL: func.func @elements
// PLAIN: scf.for
func.func @elements(%keys: tensor<?xindex>, %x: tensor<?xf64>, %sums: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %sums) -> (tensor<?x?xf64>) {
    %i = tensor.extract %keys[%k] : tensor<?xindex>
    %v = tensor.extract %x[%k] : tensor<?xf64>
    %old = tensor.extract %a[%i, %c1] : tensor<?x?xf64>
    %new = arith.subf %old, %v fastmath<contract> : f64
    %b = tensor.insert %new into %a[%i, %c1] : tensor<?x?xf64>
    scf.yield %b : tensor<?x?xf64>
  }
  return %r : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @rows
// CHECK: %[[MADE:.*]]:2 = "soac.map"
// CHECK: "soac.yield"(%{{.*}}, %{{.*}}) : (i64, tensor<3xf64>) -> ()
// CHECK: "soac.hist"(%{{.*}}, %[[MADE]]#0, %{{.*}}, %[[MADE]]#1, %{{.*}}) ({
// CHECK: "soac.map"
// CHECK: arith.addf
func.func @rows(%keys: tensor<?xindex>, %x: tensor<?x3xf64>, %sums: tensor<?x3xf64>) -> tensor<?x3xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf64>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %sums) -> (tensor<?x3xf64>) {
    %i = tensor.extract %keys[%k] : tensor<?xindex>
    %v = tensor.extract_slice %x[%k, 0] [1, 3] [1, 1] : tensor<?x3xf64> to tensor<3xf64>
    %old = tensor.extract_slice %a[%i, 0] [1, 3] [1, 1] : tensor<?x3xf64> to tensor<3xf64>
    %new = "soac.map"(%c3, %old, %v) ({
    ^bb0(%j: index, %p: f64, %q: f64):
      %s = arith.addf %p, %q fastmath<contract> : f64
      "soac.yield"(%s) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    %b = tensor.insert_slice %new into %a[%i, 0] [1, 3] [1, 1] : tensor<3xf64> into tensor<?x3xf64>
    scf.yield %b : tensor<?x3xf64>
  }
  return %r : tensor<?x3xf64>
}

// Two additions to an array in one iteration, and sums whose order counts, stay a loop.
// CHECK-LABEL: func.func @others
// CHECK-NOT: soac.hist
// CHECK: return
func.func @others(%keys: tensor<?xindex>, %sums: tensor<?xf64>, %more: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %n = tensor.dim %keys, %c0 : tensor<?xindex>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %sums) -> (tensor<?xf64>) {
    %i = tensor.extract %keys[%k] : tensor<?xindex>
    %old = tensor.extract %a[%i] : tensor<?xf64>
    %new = arith.addf %old, %one fastmath<contract> : f64
    %b = tensor.insert %new into %a[%i] : tensor<?xf64>
    %again = tensor.extract %b[%c0] : tensor<?xf64>
    %newer = arith.addf %again, %one fastmath<contract> : f64
    %c = tensor.insert %newer into %b[%c0] : tensor<?xf64>
    scf.yield %c : tensor<?xf64>
  }
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%a = %more) -> (tensor<?xf64>) {
    %i = tensor.extract %keys[%k] : tensor<?xindex>
    %old = tensor.extract %a[%i] : tensor<?xf64>
    %new = arith.addf %old, %one : f64
    %b = tensor.insert %new into %a[%i] : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  return %r, %s : tensor<?xf64>, tensor<?xf64>
}

// For processors, too, where an iteration calls a function, which maps call for many elements at once.
// PLAIN-LABEL: func.func @functions
// PLAIN: "soac.map"
// PLAIN: math.exp
// PLAIN: "soac.hist"
func.func @functions(%keys: tensor<?xindex>, %x: tensor<?xf64>, %sums: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %sums) -> (tensor<?xf64>) {
    %i = tensor.extract %keys[%k] : tensor<?xindex>
    %v = tensor.extract %x[%k] : tensor<?xf64>
    %e = math.exp %v fastmath<contract> : f64
    %old = tensor.extract %a[%i] : tensor<?xf64>
    %new = arith.addf %old, %e fastmath<contract> : f64
    %b = tensor.insert %new into %a[%i] : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
