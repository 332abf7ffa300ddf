// Loops on memrefs become the llvm dialect: bare pointers with facts, runtime calls for memory, and a C entry.
// RUN: tapeless-opt --lower-to-llvm --split-input-file %s | filecheck %s

// Inputs are read-only and overlap nothing; sizes are not negative; the entry unpacks slots in order.
// CHECK-LABEL: llvm.func internal @scale(
// CHECK-SAME: !llvm.ptr {llvm.align = 8 : i64, llvm.noalias, llvm.nonnull, llvm.readonly}
// CHECK-SAME: i64 {llvm.range = #llvm.constant_range<i64, 0, 4611686018427387904>}
// CHECK-SAME: f64
// CHECK-SAME: !llvm.ptr {llvm.align = 8 : i64, llvm.noalias, llvm.nonnull}
// CHECK-SAME: "noinline"
// CHECK-LABEL: llvm.func @scale__entry(%{{.*}}: !llvm.ptr)
// CHECK: llvm.getelementptr %{{.*}}[1]
// CHECK: llvm.getelementptr %{{.*}}[2]
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> f64
// CHECK: llvm.call @scale(
func.func @scale(%x: memref<?xf64>, %a: f64, %out: memref<?xf64>) attributes {tapeless.abi = "{}"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    %w = arith.mulf %v, %a : f64
    memref.store %w, %out[%i] : memref<?xf64>
  }
  return
}

// -----

// Allocation and release go to the runtime; a size that overflows is saturated. A stack buffer leaves its loop.
// CHECK: llvm.func @tl_alloc(i64) -> (!llvm.ptr {llvm.align = 64 : i64, llvm.noalias, llvm.nonnull})
// CHECK-LABEL: llvm.func internal @temporary(
// CHECK: llvm.alloca
// CHECK: llvm.intr.smul.with.overflow
// CHECK: llvm.call @tl_alloc(
// CHECK: llvm.cond_br
// CHECK-NOT: llvm.alloca
// CHECK: llvm.call @tl_free(
// CHECK-LABEL: llvm.func @temporary__entry
func.func @temporary(%n: i64) -> f64 attributes {tapeless.abi = "{}"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.index_cast %n : i64 to index
  %buffer = memref.alloc(%size) : memref<?xf64>
  scf.for %i = %c0 to %size step %c1 {
    %local = memref.alloca() : memref<4xf64>
    %v = memref.load %local[%c0] : memref<4xf64>
    memref.store %v, %buffer[%i] : memref<?xf64>
  }
  %r = memref.load %buffer[%c0] : memref<?xf64>
  memref.dealloc %buffer : memref<?xf64>
  return %r : f64
}

// -----

// What `math` leaves becomes intrinsics or libm calls; scalar results fill their slots.
// CHECK-LABEL: llvm.func internal @scalars(
// CHECK: llvm.intr.exp
// CHECK: llvm.call @erfc(
// CHECK-LABEL: llvm.func @scalars__entry
// CHECK: llvm.zext %{{.*}} : i1 to i64
// CHECK: llvm.sext %{{.*}} : i32 to i64
func.func @scalars(%a: f64, %b: i1, %c: i32) -> (f64, i1, i32) attributes {tapeless.abi = "{}"} {
  %e = math.exp %a : f64
  %f = math.erfc %e : f64
  return %f, %b, %c : f64, i1, i32
}

// -----

// Private functions are internal, public ones without a calling contract stay as they are.
// CHECK-LABEL: llvm.func internal @helper(
// CHECK-NOT: __entry
// CHECK-LABEL: llvm.func @visible(
func.func private @helper(%a: f64) -> f64 {
  return %a : f64
}
func.func @visible(%a: f64) -> f64 {
  %b = func.call @helper(%a) : (f64) -> f64
  return %b : f64
}

// -----

// A remainder is a call of `fmod`, so that a function of that name gets another one; what calls it follows.
// CHECK-LABEL: llvm.func internal @fmod__own(
// CHECK: llvm.frem
// CHECK-LABEL: llvm.func @fmod__own__entry(
// CHECK: llvm.call @fmod__own(
func.func @fmod(%x: f64, %y: f64) -> f64 attributes {tapeless.abi = "{}"} {
  %r = arith.remf %x, %y : f64
  return %r : f64
}
