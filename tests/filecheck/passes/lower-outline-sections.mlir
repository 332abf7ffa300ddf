// Long functions are cut into sections, which become functions of their own.
// RUN: tapeless-opt --lower-outline-sections="most=2 length=2" %s | filecheck %s

// Arrays that overlap no other get in as pointers, constants are made again, and numbers come back.
// CHECK-LABEL: func.func private @loops_section0(
// CHECK-SAME: !llvm.ptr {{{.*}}llvm.noalias
// CHECK-SAME: -> f64 attributes {llvm.no_inline}
// CHECK: arith.constant 1 : index
// CHECK: scf.for
// CHECK: scf.for
// CHECK: return %{{.*}} : f64
// CHECK-LABEL: func.func @loops(
// CHECK: %[[sum:.*]] = call @loops_section0(
// CHECK: scf.for
// CHECK: memref.store %[[sum]]
func.func @loops(%x: memref<?xf64>, %y: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    memref.store %zero, %y[%i] : memref<?xf64>
  }
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %e = memref.load %x[%i] : memref<?xf64>
    %t = arith.addf %s, %e : f64
    scf.yield %t : f64
  }
  scf.for %i = %c0 to %n step %c1 {
    memref.store %sum, %y[%i] : memref<?xf64>
  }
  return
}

// An array that a section makes and something else reads comes back, and is memory of its own to other sections;
// buffers on the stack stay outside.
// CHECK-LABEL: func.func private @memory_section0(
// CHECK: %[[made:.*]] = memref.alloc
// CHECK: return %[[made]] : memref<?xf64>
// CHECK-LABEL: func.func private @memory_section1(
// CHECK-SAME: %{{.*}}: !llvm.ptr {{{.*}}llvm.noalias
// CHECK-LABEL: func.func @memory(
// CHECK: memref.alloca
// CHECK: %[[heap:.*]] = call @memory_section0(
// CHECK: call @memory_section1(
// CHECK: memref.dealloc %[[heap]]
func.func @memory(%x: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %heap = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %one, %heap[%i] : memref<?xf64>
  }
  %stack = memref.alloca() : memref<4xf64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %one, %stack[%c0] : memref<4xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %e = memref.load %heap[%i] : memref<?xf64>
    memref.store %e, %x[%i] : memref<?xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %e = memref.load %stack[%c0] : memref<4xf64>
    memref.store %e, %x[%i] : memref<?xf64>
  }
  memref.dealloc %heap : memref<?xf64>
  return
}

// A view may be a part of another array: nothing is promised of any array of the section.
// CHECK-LABEL: func.func private @views_section0(
// CHECK-NOT: llvm.noalias
// CHECK-LABEL: func.func private @views_section1(
func.func @views(%x: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %view = memref.subview %x[1] [%n] [1] : memref<?xf64> to memref<?xf64, strided<[1], offset: 1>>
  scf.for %k = %c0 to %n step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      memref.store %one, %x[%i] : memref<?xf64>
    }
    scf.for %i = %c0 to %n step %c1 {
      memref.store %one, %view[%i] : memref<?xf64, strided<[1], offset: 1>>
    }
    memref.store %one, %x[%k] : memref<?xf64>
  }
  return
}

// Sums whose order LLVM chooses stay where they are, with all that is around them.
// CHECK-NOT: @sums_section
// CHECK-LABEL: func.func @sums(
func.func @sums(%x: memref<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %inner = scf.for %j = %c0 to %n step %c1 iter_args(%r = %s) -> (f64) {
      %row = scf.for %k = %c0 to %n step %c1 iter_args(%q = %r) -> (f64) {
        %e = memref.load %x[%k] : memref<?xf64>
        %t = arith.addf %q, %e fastmath<reassoc,nsz> : f64
        scf.yield %t : f64
      }
      scf.yield %row : f64
    }
    scf.yield %inner : f64
  }
  return %sum : f64
}

// So do those that are fused with products.
// CHECK-NOT: @fused_sums_section
// CHECK-LABEL: func.func @fused_sums(
func.func @fused_sums(%x: memref<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %inner = scf.for %j = %c0 to %n step %c1 iter_args(%r = %s) -> (f64) {
      %row = scf.for %k = %c0 to %n step %c1 iter_args(%q = %r) -> (f64) {
        %e = memref.load %x[%k] : memref<?xf64>
        %t = llvm.intr.fmuladd(%e, %e, %q) {fastmathFlags = #llvm.fastmath<nsz, reassoc>} : (f64, f64, f64) -> f64
        scf.yield %t : f64
      }
      scf.yield %row : f64
    }
    scf.yield %inner : f64
  }
  return %sum : f64
}
