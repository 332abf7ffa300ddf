// soac-inline leaves functions alone that call themselves, and says which results have the sizes of which arguments.
// RUN: tapeless-opt --soac-inline %s | filecheck %s

// What is not on the cycle is inlined into it.
// CHECK-LABEL: func.func private @halve
// CHECK-SAME: attributes {tapeless.recursive, tapeless.sizes = array<i64: 1>}
// CHECK: arith.divsi
// CHECK: call @halve(%{{.*}}, %{{.*}}) {tapeless.sizes = array<i64: 1>}
func.func private @halve(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %c1 = arith.constant 1 : index
  %ends = arith.cmpi sle, %n, %c1 : index
  %r = scf.if %ends -> (tensor<?xf64>) {
    scf.yield %x : tensor<?xf64>
  } else {
    %m = func.call @half(%n) : (index) -> index
    %y = func.call @halve(%m, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %y : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// CHECK-NOT: @half(
func.func private @half(%n: index) -> index {
  %c2 = arith.constant 2 : index
  %m = arith.divsi %n, %c2 : index
  return %m : index
}

// Two functions that call each other.
// CHECK-LABEL: func.func private @even
// CHECK-SAME: tapeless.recursive
// CHECK: call @odd
func.func private @even(%x: tensor<?xf64>, %y: tensor<?xf64>, %go: i1) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = scf.if %go -> (tensor<?xf64>, tensor<?xf64>) {
    %z:2 = func.call @odd(%x, %y, %go) : (tensor<?xf64>, tensor<?xf64>, i1) -> (tensor<?xf64>, tensor<?xf64>)
    scf.yield %z#0, %z#1 : tensor<?xf64>, tensor<?xf64>
  } else {
    scf.yield %x, %y : tensor<?xf64>, tensor<?xf64>
  }
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

// Nothing is said of results whose sizes may be others: these may come back in the place of each other.
// CHECK-LABEL: func.func private @odd
// CHECK-SAME: tapeless.sizes = array<i64: -1, -1>
func.func private @odd(%x: tensor<?xf64>, %y: tensor<?xf64>, %go: i1) -> (tensor<?xf64>, tensor<?xf64>) {
  %z:2 = func.call @even(%y, %x, %go) : (tensor<?xf64>, tensor<?xf64>, i1) -> (tensor<?xf64>, tensor<?xf64>)
  return %z#0, %z#1 : tensor<?xf64>, tensor<?xf64>
}

// CHECK-LABEL: func.func @uses
// CHECK: call @halve(%{{.*}}, %{{.*}}) {tapeless.sizes = array<i64: 1>}
func.func @uses(%n: index, %x: tensor<?xf64>, %go: i1) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %a = func.call @halve(%n, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
  %b:2 = func.call @even(%a, %x, %go) : (tensor<?xf64>, tensor<?xf64>, i1) -> (tensor<?xf64>, tensor<?xf64>)
  return %a, %b#0, %b#1 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
