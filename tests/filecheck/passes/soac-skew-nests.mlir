// Nests in which a cell waits for those above and to its left run by antidiagonals; what cells need else comes before.
// RUN: tapeless-opt --soac-skew-nests %s | filecheck %s
// RUN: tapeless-opt --soac-skew-nests="costly=true" %s | filecheck %s --check-prefix=COSTLY

// CHECK-LABEL: func.func @table
// CHECK: %[[GIVEN:.*]] = "soac.map"(%{{.*}}) ({
// CHECK: "soac.map"(%{{.*}}) ({
// CHECK: scf.if
// CHECK: tensor.extract %arg0
// CHECK: %[[CELLS:.*]] = tensor.splat
// CHECK: scf.for %[[D:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[C:.*]] = %[[CELLS]], %{{.*}} = %{{.*}})
// CHECK: %[[UP:.*]] = tensor.extract_slice %[[C]]
// CHECK: %[[LEFT:.*]] = tensor.extract_slice %[[C]]
// CHECK: %[[X:.*]] = tensor.extract_slice %[[GIVEN]][%[[D]], 0]
// CHECK: %[[MADE:.*]]:2 = "soac.map"(%{{.*}}, %[[UP]], %[[LEFT]], %[[X]])
// CHECK: tensor.insert_slice %[[MADE]]#0 into %[[C]]
// CHECK: "soac.reduce"(%{{.*}}, %[[MADE]]#1
func.func @table(%x: tensor<?x?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %h = tensor.splat %zero[%n, %m] : tensor<?x?xf64>
  %r:2 = scf.for %i = %c1 to %n step %c1 iter_args(%a = %h, %s = %zero) -> (tensor<?x?xf64>, f64) {
    %r:2 = scf.for %j = %c1 to %m step %c1 iter_args(%b = %a, %t = %s) -> (tensor<?x?xf64>, f64) {
      %above = arith.subi %i, %c1 : index
      %before = arith.subi %j, %c1 : index
      %up = tensor.extract %b[%above, %j] : tensor<?x?xf64>
      %left = tensor.extract %b[%i, %before] : tensor<?x?xf64>
      %own = tensor.extract %x[%i, %j] : tensor<?x?xf64>
      %both = arith.mulf %up, %left fastmath<contract> : f64
      %new = arith.addf %both, %own fastmath<contract> : f64
      %c = tensor.insert %new into %b[%i, %j] : tensor<?x?xf64>
      %u = arith.addf %t, %new fastmath<contract> : f64
      scf.yield %c, %u : tensor<?x?xf64>, f64
    }
    scf.yield %r#0, %r#1 : tensor<?x?xf64>, f64
  }
  return %r#1 : f64
}

// Rows that a loop hands on are rows of a table first.
// CHECK-LABEL: func.func @rows
// CHECK-COUNT-1: scf.for
// CHECK: "soac.map"
// CHECK: tensor.insert_slice
// CHECK-NOT: scf.for
// CHECK: return
func.func @rows(%x: tensor<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %x, %c0 : tensor<?xf64>
  %empty = tensor.splat %zero[%m] : tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%above = %empty) -> (tensor<?xf64>) {
    %filled = scf.for %j = %c1 to %m step %c1 iter_args(%row = %empty) -> (tensor<?xf64>) {
      %before = arith.subi %j, %c1 : index
      %up = tensor.extract %above[%j] : tensor<?xf64>
      %left = tensor.extract %row[%before] : tensor<?xf64>
      %own = tensor.extract %x[%j] : tensor<?xf64>
      %both = arith.mulf %up, %left fastmath<contract> : f64
      %new = arith.addf %both, %own fastmath<contract> : f64
      %next = tensor.insert %new into %row[%j] : tensor<?xf64>
      scf.yield %next : tensor<?xf64>
    }
    scf.yield %filled : tensor<?xf64>
  }
  %last = arith.subi %m, %c1 : index
  %e = tensor.extract %r[%last] : tensor<?xf64>
  return %e : f64
}

// A cell that waits for one further right would be on the same antidiagonal: such nests stay.
// CHECK-LABEL: func.func @across
// CHECK-NOT: soac.map
// CHECK: return
func.func @across(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %end = arith.subi %m, %c1 : index
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%a = %x) -> (tensor<?x?xf64>) {
    %r = scf.for %j = %c1 to %end step %c1 iter_args(%b = %a) -> (tensor<?x?xf64>) {
      %above = arith.subi %i, %c1 : index
      %before = arith.subi %j, %c1 : index
      %behind = arith.addi %j, %c1 : index
      %up = tensor.extract %b[%above, %behind] : tensor<?x?xf64>
      %left = tensor.extract %b[%i, %before] : tensor<?x?xf64>
      %both = arith.mulf %up, %left fastmath<contract> : f64
      %c = tensor.insert %both into %b[%i, %j] : tensor<?x?xf64>
      scf.yield %c : tensor<?x?xf64>
    }
    scf.yield %r : tensor<?x?xf64>
  }
  return %r : tensor<?x?xf64>
}

// With `costly`, cells that wait for no function such as exp run one after the other, and so do rows that no return
// sweep stores.
// COSTLY-LABEL: func.func @table
// COSTLY-NOT: soac.map
// COSTLY-LABEL: func.func @rows
// COSTLY-NOT: soac.map
// COSTLY-LABEL: func.func @costly_rows
// COSTLY-NOT: soac.map
// COSTLY-LABEL: func.func @own_functions
// COSTLY-NOT: soac.map
// COSTLY-LABEL: func.func @costly_table
// COSTLY: "soac.map"(%{{.*}}) ({
// COSTLY: scf.for
// COSTLY: "soac.map"
// COSTLY: math.exp
func.func @costly_rows(%x: tensor<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %x, %c0 : tensor<?xf64>
  %empty = tensor.splat %zero[%m] : tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%above = %empty) -> (tensor<?xf64>) {
    %filled = scf.for %j = %c1 to %m step %c1 iter_args(%row = %empty) -> (tensor<?xf64>) {
      %before = arith.subi %j, %c1 : index
      %up = tensor.extract %above[%j] : tensor<?xf64>
      %left = tensor.extract %row[%before] : tensor<?xf64>
      %both = arith.mulf %up, %left fastmath<contract> : f64
      %new = math.exp %both fastmath<contract> : f64
      %next = tensor.insert %new into %row[%j] : tensor<?xf64>
      scf.yield %next : tensor<?xf64>
    }
    scf.yield %filled : tensor<?xf64>
  }
  %last = arith.subi %m, %c1 : index
  %e = tensor.extract %r[%last] : tensor<?xf64>
  return %e : f64
}

func.func @own_functions(%x: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %h = tensor.splat %zero[%n, %m] : tensor<?x?xf64>
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%a = %h) -> (tensor<?x?xf64>) {
    %r = scf.for %j = %c1 to %m step %c1 iter_args(%b = %a) -> (tensor<?x?xf64>) {
      %above = arith.subi %i, %c1 : index
      %before = arith.subi %j, %c1 : index
      %up = tensor.extract %b[%above, %j] : tensor<?x?xf64>
      %left = tensor.extract %b[%i, %before] : tensor<?x?xf64>
      %own = tensor.extract %x[%i, %j] : tensor<?x?xf64>
      %grown = math.exp %own fastmath<contract> : f64
      %both = arith.mulf %up, %left fastmath<contract> : f64
      %new = arith.addf %both, %grown fastmath<contract> : f64
      %c = tensor.insert %new into %b[%i, %j] : tensor<?x?xf64>
      scf.yield %c : tensor<?x?xf64>
    }
    scf.yield %r : tensor<?x?xf64>
  }
  return %r : tensor<?x?xf64>
}

func.func @costly_table(%x: tensor<?x?xf64>, %n: index, %m: index) -> f64 {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %h = tensor.splat %zero[%n, %m] : tensor<?x?xf64>
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%a = %h) -> (tensor<?x?xf64>) {
    %r = scf.for %j = %c1 to %m step %c1 iter_args(%b = %a) -> (tensor<?x?xf64>) {
      %above = arith.subi %i, %c1 : index
      %before = arith.subi %j, %c1 : index
      %up = tensor.extract %b[%above, %j] : tensor<?x?xf64>
      %left = tensor.extract %b[%i, %before] : tensor<?x?xf64>
      %own = tensor.extract %x[%i, %j] : tensor<?x?xf64>
      %both = arith.mulf %up, %left fastmath<contract> : f64
      %grown = math.exp %both fastmath<contract> : f64
      %new = arith.addf %own, %grown fastmath<contract> : f64
      %c = tensor.insert %new into %b[%i, %j] : tensor<?x?xf64>
      scf.yield %c : tensor<?x?xf64>
    }
    scf.yield %r : tensor<?x?xf64>
  }
  %e = tensor.extract %r[%c1, %c1] : tensor<?x?xf64>
  return %e : f64
}
