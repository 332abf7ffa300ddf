// Innermost loops whose iterations are independent say so, and so do their loads and stores.
// RUN: tapeless-opt --lower-to-llvm --split-input-file %s | filecheck %s

// Reads and writes of one buffer: rows k and k + 1 are different, which the addresses do not show.
// CHECK: #[[GROUP:.*]] = #llvm.access_group<id = distinct[0]<>>
// CHECK: #[[LOOP:.*]] = #llvm.loop_annotation<{{.*}}parallelAccesses = #[[GROUP]]>
// CHECK-LABEL: llvm.func @rows
// CHECK: llvm.load %{{.*}} {access_groups = [#[[GROUP]]]
// CHECK: llvm.store %{{.*}} {access_groups = [#[[GROUP]]]
// CHECK: llvm.br ^{{.*}} {loop_annotation = #[[LOOP]]}
func.func @rows(%x: memref<?x?xf64>, %n: index, %k: index, %from: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %next = arith.addi %k, %c1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%k, %i] : memref<?x?xf64>
    %w = arith.addf %v, %v : f64
    %at = arith.addi %from, %i : index
    memref.store %w, %x[%next, %at] : memref<?x?xf64>
  } {tapeless.parallel}
  return
}

// -----

// A temporary that all iterations share, and a place that is not a different one in each of them.
// CHECK-NOT: access_group
// CHECK-LABEL: llvm.func @shared
func.func @shared(%x: memref<?xf64>, %t: memref<4xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    memref.store %v, %t[%c0] : memref<4xf64>
    %w = memref.load %t[%c0] : memref<4xf64>
    memref.store %w, %x[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// -----

// CHECK-NOT: access_group
// CHECK-LABEL: llvm.func @halves
func.func @halves(%x: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %half = arith.divui %i, %c2 : index
    memref.store %one, %x[%half] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// -----

// Sequential loops, and loops around others.
// CHECK-NOT: access_group
// CHECK-LABEL: llvm.func @in_order
func.func @in_order(%x: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    %next = arith.addi %i, %c1 : index
    memref.store %v, %x[%next] : memref<?xf64>
  }
  return
}

// -----

// Neighbours write the same element.
// CHECK-NOT: access_group
// CHECK-LABEL: llvm.func @neighbours
func.func @neighbours(%x: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    memref.store %one, %x[%i] : memref<?xf64>
    %next = arith.addi %i, %c1 : index
    memref.store %two, %x[%next] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// -----

// Neighbours write the same element of one row, whether the row is known or not.
// CHECK-NOT: access_group
// CHECK-LABEL: llvm.func @same_row
// CHECK-LABEL: llvm.func @first_row
func.func @same_row(%x: memref<2x?xf64>, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    memref.store %one, %x[%k, %i] : memref<2x?xf64>
    %next = arith.addi %i, %c1 : index
    memref.store %one, %x[%k, %next] : memref<2x?xf64>
  } {tapeless.parallel}
  return
}
func.func @first_row(%x: memref<2x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    memref.store %one, %x[%c0, %i] : memref<2x?xf64>
    %next = arith.addi %i, %c1 : index
    memref.store %one, %x[%c0, %next] : memref<2x?xf64>
  } {tapeless.parallel}
  return
}

// -----

// The index is moved by something that the iteration computes: two of them write to every even place.
// CHECK-NOT: access_group
// CHECK-LABEL: llvm.func @even_places
func.func @even_places(%x: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %rest = arith.remui %i, %c2 : index
    %at = arith.subi %i, %rest : index
    memref.store %one, %x[%at] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// -----

// The same two places in different rows.
// CHECK: access_group
// CHECK-LABEL: llvm.func @other_rows
func.func @other_rows(%x: memref<2x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    memref.store %one, %x[%c0, %i] : memref<2x?xf64>
    %next = arith.addi %i, %c1 : index
    memref.store %one, %x[%c1, %next] : memref<2x?xf64>
  } {tapeless.parallel}
  return
}
