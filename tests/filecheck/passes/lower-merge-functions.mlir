// Private functions that do the same are one: calls of the others go to the first, with arguments in its order.
// RUN: tapeless-opt --lower-merge-functions --split-input-file %s | filecheck %s

// Parameters and the factors of a product may come in any order.
// CHECK-LABEL: func.func private @first
// CHECK-NOT: @second
// CHECK-LABEL: func.func @swapped(
// CHECK-SAME: %[[N:.*]]: index, %[[X:.*]]: memref<?xf64>, %[[Y:.*]]: memref<?xf64>, %[[R:.*]]: memref<?xf64>)
// CHECK: call @first(%[[N]], %[[X]], %[[Y]], %[[R]])
// CHECK: call @first(%[[N]], %[[Y]], %[[X]], %[[R]])
func.func private @first(%n: index, %a: memref<?xf64>, %b: memref<?xf64>, %r: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %last = arith.subi %n, %i : index
    %x = memref.load %a[%i] : memref<?xf64>
    %y = memref.load %b[%last] : memref<?xf64>
    %z = arith.mulf %x, %y : f64
    memref.store %z, %r[%i] : memref<?xf64>
  }
  return
}
func.func private @second(%n: index, %b: memref<?xf64>, %r: memref<?xf64>, %a: memref<?xf64>) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %c1 {
    %last = arith.subi %n, %i : index
    %y = memref.load %b[%last] : memref<?xf64>
    %x = memref.load %a[%i] : memref<?xf64>
    %z = arith.mulf %y, %x : f64
    memref.store %z, %r[%i] : memref<?xf64>
  }
  return
}
func.func @swapped(%n: index, %x: memref<?xf64>, %y: memref<?xf64>, %r: memref<?xf64>) {
  call @first(%n, %x, %y, %r) : (index, memref<?xf64>, memref<?xf64>, memref<?xf64>) -> ()
  call @second(%n, %x, %r, %y) : (index, memref<?xf64>, memref<?xf64>, memref<?xf64>) -> ()
  return
}

// -----

// A function that takes one number where another takes two is a use of that one; the other way round it is none, nor may
// arrays that lie apart become one.
// CHECK-NOT: @square
// CHECK-LABEL: func.func private @itself(
// CHECK-LABEL: func.func private @rectangle(
// CHECK-LABEL: func.func @shapes(
// CHECK-SAME: %[[N:.*]]: index, %[[M:.*]]: index, %[[X:.*]]: memref<?xf64>, %[[Y:.*]]: memref<?xf64>)
// CHECK: call @rectangle(%[[X]], %[[M]], %[[N]], %[[Y]])
// CHECK: call @rectangle(%[[Y]], %[[N]], %[[N]], %[[X]])
// CHECK: call @itself(%[[N]], %[[M]], %[[X]])
func.func private @square(%n: index, %a: memref<?xf64>, %b: memref<?xf64>) {
  %x = memref.load %a[%n] : memref<?xf64>
  memref.store %x, %b[%n] : memref<?xf64>
  return
}
func.func private @itself(%n: index, %m: index, %a: memref<?xf64>) {
  %x = memref.load %a[%n] : memref<?xf64>
  memref.store %x, %a[%m] : memref<?xf64>
  return
}
func.func private @rectangle(%a: memref<?xf64>, %n: index, %m: index, %b: memref<?xf64>) {
  %x = memref.load %a[%n] : memref<?xf64>
  memref.store %x, %b[%m] : memref<?xf64>
  return
}
func.func @shapes(%n: index, %m: index, %x: memref<?xf64>, %y: memref<?xf64>) {
  call @rectangle(%x, %m, %n, %y) : (memref<?xf64>, index, index, memref<?xf64>) -> ()
  call @square(%n, %y, %x) : (index, memref<?xf64>, memref<?xf64>) -> ()
  call @itself(%n, %m, %x) : (index, index, memref<?xf64>) -> ()
  return
}

// -----

// Differences, terms of sums in another order, and other facts about parameters are differences.
// CHECK-LABEL: func.func private @ahead
// CHECK-LABEL: func.func private @behind
// CHECK-LABEL: func.func private @alone
// CHECK-LABEL: func.func private @terms
// CHECK-LABEL: func.func @different
// CHECK: call @ahead
// CHECK: call @behind
// CHECK: call @alone
// CHECK: call @terms
func.func private @ahead(%a: memref<?xf64>, %i: index, %j: index) {
  %x = memref.load %a[%i] : memref<?xf64>
  %y = memref.load %a[%j] : memref<?xf64>
  %p = arith.mulf %x, %x : f64
  %z = arith.addf %p, %y : f64
  memref.store %z, %a[%i] : memref<?xf64>
  return
}
func.func private @behind(%a: memref<?xf64>, %i: index, %j: index) {
  %x = memref.load %a[%i] : memref<?xf64>
  %y = memref.load %a[%j] : memref<?xf64>
  %p = arith.mulf %x, %x : f64
  %z = arith.subf %p, %y : f64
  memref.store %z, %a[%i] : memref<?xf64>
  return
}
func.func private @alone(%a: memref<?xf64> {llvm.noalias}, %i: index, %j: index) {
  %x = memref.load %a[%i] : memref<?xf64>
  %y = memref.load %a[%j] : memref<?xf64>
  %p = arith.mulf %x, %x : f64
  %z = arith.addf %p, %y : f64
  memref.store %z, %a[%i] : memref<?xf64>
  return
}
func.func private @terms(%a: memref<?xf64>, %i: index, %j: index) {
  %x = memref.load %a[%i] : memref<?xf64>
  %y = memref.load %a[%j] : memref<?xf64>
  %p = arith.mulf %x, %x : f64
  %z = arith.addf %y, %p : f64
  memref.store %z, %a[%i] : memref<?xf64>
  return
}
func.func @different(%a: memref<?xf64>, %i: index, %j: index) {
  call @ahead(%a, %i, %j) : (memref<?xf64>, index, index) -> ()
  call @behind(%a, %i, %j) : (memref<?xf64>, index, index) -> ()
  call @alone(%a, %i, %j) : (memref<?xf64>, index, index) -> ()
  call @terms(%a, %i, %j) : (memref<?xf64>, index, index) -> ()
  return
}

// -----

// A load before a store is not one after it, nor one inside a loop that stores.
// CHECK-LABEL: func.func private @before
// CHECK-LABEL: func.func private @after
// CHECK-LABEL: func.func private @once
// CHECK-LABEL: func.func private @again
func.func private @before(%a: memref<?xf64>, %b: memref<?xf64>, %x: f64, %i: index) {
  %y = memref.load %a[%i] : memref<?xf64>
  memref.store %x, %a[%i] : memref<?xf64>
  memref.store %y, %b[%i] : memref<?xf64>
  return
}
func.func private @after(%a: memref<?xf64>, %b: memref<?xf64>, %x: f64, %i: index) {
  memref.store %x, %a[%i] : memref<?xf64>
  %y = memref.load %a[%i] : memref<?xf64>
  memref.store %y, %b[%i] : memref<?xf64>
  return
}
func.func private @once(%a: memref<?xf64>, %n: index, %s: index, %unused: f64) {
  %x = memref.load %a[%s] : memref<?xf64>
  %c1 = arith.constant 1 : index
  scf.for %i = %s to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf64>
  }
  %y = memref.load %a[%n] : memref<?xf64>
  memref.store %y, %a[%s] : memref<?xf64>
  return
}
func.func private @again(%a: memref<?xf64>, %n: index, %s: index, %unused: f64) {
  %c1 = arith.constant 1 : index
  %z = memref.load %a[%n] : memref<?xf64>
  scf.for %i = %s to %n step %c1 {
    %x = memref.load %a[%s] : memref<?xf64>
    memref.store %x, %a[%i] : memref<?xf64>
  }
  memref.store %z, %a[%s] : memref<?xf64>
  return
}
func.func @callers(%a: memref<?xf64>, %b: memref<?xf64>, %x: f64, %i: index) {
  call @before(%a, %b, %x, %i) : (memref<?xf64>, memref<?xf64>, f64, index) -> ()
  call @after(%a, %b, %x, %i) : (memref<?xf64>, memref<?xf64>, f64, index) -> ()
  call @once(%a, %i, %i, %x) : (memref<?xf64>, index, index, f64) -> ()
  call @again(%a, %i, %i, %x) : (memref<?xf64>, index, index, f64) -> ()
  return
}

// -----

// What is called by its address stays, and so do functions that others may call.
// CHECK-LABEL: func.func private @chunk0
// CHECK-LABEL: func.func private @chunk1
// CHECK-LABEL: func.func @public
// CHECK-LABEL: func.func private @part
// CHECK-LABEL: func.func @callers
// CHECK: call @public
// CHECK: call @part
func.func private @chunk0(%x: f64) {
  return
}
func.func private @chunk1(%x: f64) {
  return
}
func.func @public(%a: memref<?xf64>, %i: index) {
  return
}
func.func private @part(%a: memref<?xf64>, %i: index) {
  return
}
func.func @callers(%a: memref<?xf64>, %i: index) -> ((f64) -> (), (f64) -> ()) {
  %f = func.constant @chunk0 : (f64) -> ()
  %g = func.constant @chunk1 : (f64) -> ()
  call @public(%a, %i) : (memref<?xf64>, index) -> ()
  call @part(%a, %i) : (memref<?xf64>, index) -> ()
  return %f, %g : (f64) -> (), (f64) -> ()
}
