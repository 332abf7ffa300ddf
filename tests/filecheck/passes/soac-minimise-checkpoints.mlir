// Loops store the fewest bytes from which their way back can go on.
// RUN: tapeless-opt --soac-minimise-checkpoints %s | filecheck %s

// What the way back computes of three arrays is stored, once for both of its maps: one has it as an array, the other one
// as a number of its body.
// CHECK-LABEL: func.func @sum
// CHECK: %[[R:.*]]:4 = scf.for %[[I:.*]] = {{.*}} iter_args(%[[A:.*]] = {{.*}}, %[[B:.*]] = {{.*}}, %[[C:.*]] = {{.*}}, %[[H:.*]] = {{.*}}) ->
// CHECK: %[[S:.*]] = "soac.map"(%{{.*}}, %[[A]], %[[B]], %[[C]])
// CHECK: %[[KEPT:.*]] = tensor.insert_slice %[[S]] into %[[H]][%[[I]], 0]
// CHECK: scf.yield %{{.*}}, %{{.*}}, %{{.*}}, %[[KEPT]]
// CHECK: scf.for %[[J:.*]] = {{.*}} iter_args(%[[BAR:.*]] = {{.*}})
// CHECK-NEXT: %[[P:.*]] = arith.subi
// CHECK-NEXT: %[[ROW:.*]] = tensor.extract_slice %[[R]]#3[%[[P]], 0]
// CHECK-NEXT: "soac.map"(%{{.*}}, %[[ROW]], %[[BAR]])
// CHECK-NOT: tensor.extract_slice
// CHECK: return
func.func @sum(%x: tensor<?xf64>, %y: tensor<?xf64>, %z: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?xf64>
  %rows = tensor.empty(%n, %m) : tensor<?x?xf64>
  %r:6 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %c = %x, %h = %rows, %k = %rows, %l = %rows)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
    %0 = tensor.insert_slice %a into %h[%i, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    %1 = tensor.insert_slice %b into %k[%i, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    %2 = tensor.insert_slice %c into %l[%i, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    %s = "soac.map"(%m, %a, %b, %c) ({
    ^bb0(%j: index, %u: f64, %v: f64, %o: f64):
      %w = arith.addf %u, %v : f64
      %q = arith.addf %w, %o : f64
      "soac.yield"(%q) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 3, 0>} : (index, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %next = "soac.map"(%m, %a, %s) ({
    ^bb0(%j: index, %u: f64, %v: f64):
      %w = arith.mulf %v, %v : f64
      %d = arith.addf %u, %w : f64
      "soac.yield"(%d) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %next, %a, %b, %0, %1, %2
      : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
  }
  %last = arith.subi %n, %c1 : index
  %back = scf.for %i = %c0 to %n step %c1 iter_args(%bar = %y) -> (tensor<?xf64>) {
    %p = arith.subi %last, %i : index
    %a = tensor.extract_slice %r#3[%p, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %b = tensor.extract_slice %r#4[%p, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %c = tensor.extract_slice %r#5[%p, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %s = "soac.map"(%m, %a, %b, %c) ({
    ^bb0(%j: index, %u: f64, %v: f64, %o: f64):
      %w = arith.addf %u, %v : f64
      %q = arith.addf %w, %o : f64
      "soac.yield"(%q) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 3, 0>} : (index, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %next = "soac.map"(%m, %a, %b, %c, %s, %bar) ({
    ^bb0(%j: index, %u: f64, %v: f64, %o: f64, %t: f64, %g: f64):
      %w = arith.addf %u, %v : f64
      %q = arith.addf %w, %o : f64
      %d = arith.mulf %q, %t : f64
      %e = arith.mulf %d, %g : f64
      "soac.yield"(%e) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 5, 0>}
      : (index, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %next : tensor<?xf64>
  }
  return %back : tensor<?xf64>
}

// One element of the array is all that the way back looks at.
// CHECK-LABEL: func.func @element
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[A:.*]] = {{.*}}, %[[H:.*]] = {{.*}}) -> (tensor<?xf64>, tensor<?xf64>)
// CHECK: %[[E:.*]] = tensor.extract %[[A]][%[[I]]]
// CHECK: tensor.insert %[[E]] into %[[H]][%[[I]]]
// CHECK: scf.for
// CHECK: tensor.extract %{{.*}}#1[%{{.*}}] : tensor<?xf64>
// CHECK: return
func.func @element(%x: tensor<?xf64>, %y: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?xf64>
  %rows = tensor.empty(%n, %m) : tensor<?x?xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %h = %rows) -> (tensor<?xf64>, tensor<?x?xf64>) {
    %0 = tensor.insert_slice %a into %h[%i, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    %e = tensor.extract %a[%i] : tensor<?xf64>
    %s = math.sin %e : f64
    %next = arith.addi %i, %c1 : index
    %b = tensor.insert %s into %a[%next] : tensor<?xf64>
    scf.yield %b, %0 : tensor<?xf64>, tensor<?x?xf64>
  }
  %last = arith.subi %n, %c1 : index
  %back = scf.for %i = %c0 to %n step %c1 iter_args(%bar = %y) -> (f64) {
    %p = arith.subi %last, %i : index
    %e = tensor.extract %r#1[%p, %p] : tensor<?x?xf64>
    %s = math.cos %e : f64
    %g = arith.mulf %s, %bar : f64
    scf.yield %g : f64
  }
  return %back : f64
}

// Two arrays for one that is written and read would move as much; and rows that somebody else looks at stay.
// CHECK-LABEL: func.func @not_less
// CHECK: -> (tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
// CHECK-LABEL: func.func @read_elsewhere
// CHECK: -> (tensor<?xf64>, tensor<?x?xf64>)
func.func @not_less(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?xf64>
  %rows = tensor.empty(%n, %m) : tensor<?x?xf64>
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y, %h = %rows, %k = %rows)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
    %0 = tensor.insert_slice %a into %h[%i, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    %1 = tensor.insert_slice %b into %k[%i, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    %next = "soac.map"(%m, %a, %b) ({
    ^bb0(%j: index, %u: f64, %v: f64):
      %w = arith.addf %u, %v : f64
      "soac.yield"(%w) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %next, %a, %0, %1 : tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
  }
  %back = scf.for %p = %c0 to %n step %c1 iter_args(%bar = %y) -> (tensor<?xf64>) {
    %a = tensor.extract_slice %r#2[%p, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %b = tensor.extract_slice %r#3[%p, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %next = "soac.map"(%m, %a, %b, %bar) ({
    ^bb0(%j: index, %u: f64, %v: f64, %g: f64):
      %w = arith.addf %u, %v : f64
      %d = arith.mulf %w, %g : f64
      "soac.yield"(%d) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 3, 0>} : (index, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %next : tensor<?xf64>
  }
  return %back : tensor<?xf64>
}
func.func @read_elsewhere(%x: tensor<?xf64>, %y: f64, %n: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?xf64>
  %rows = tensor.empty(%n, %m) : tensor<?x?xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %h = %rows) -> (tensor<?xf64>, tensor<?x?xf64>) {
    %0 = tensor.insert_slice %a into %h[%i, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    %e = tensor.extract %a[%i] : tensor<?xf64>
    %b = tensor.insert %e into %a[%c0] : tensor<?xf64>
    scf.yield %b, %0 : tensor<?xf64>, tensor<?x?xf64>
  }
  %back = scf.for %p = %c0 to %n step %c1 iter_args(%bar = %y) -> (f64) {
    %e = tensor.extract %r#1[%p, %p] : tensor<?x?xf64>
    %g = arith.mulf %e, %bar : f64
    scf.yield %g : f64
  }
  %other = tensor.extract %r#1[%c0, %c1] : tensor<?x?xf64>
  return %back, %other : f64, f64
}
