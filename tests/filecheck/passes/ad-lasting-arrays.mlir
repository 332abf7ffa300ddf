// ad-lasting-arrays marks carried arrays of which no element is written after it was read, in all loops that carry them.
// RUN: tapeless-opt --ad-lasting-arrays %s | filecheck %s
// RUN: tapeless-opt --ad-lasting-arrays=alone=true %s | filecheck %s --check-prefix=ALONE

// A table filled row by row: both loops carry it.
// CHECK-LABEL: func.func @table
// CHECK: scf.for {{.*}} iter_args(%[[OUTER:.*]] = %{{.*}})
// CHECK-NEXT: %[[ROWS:.*]] = "ad.promise"(%[[OUTER]]) {ad.sure}
// CHECK: scf.for {{.*}} iter_args(%[[INNER:.*]] = %[[ROWS]])
// CHECK-NEXT: %[[CELLS:.*]] = "ad.promise"(%[[INNER]]) {ad.sure}
// CHECK: tensor.extract %[[CELLS]]
// CHECK: tensor.insert %{{.*}} into %[[CELLS]]
// ALONE-LABEL: func.func @table
// ALONE-COUNT-2: "ad.promise"
func.func @table(%x: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?x?xf64> {
    %i1 = arith.addi %i, %c1 : index
    %s = scf.for %j = %c0 to %m step %c1 iter_args(%b = %a) -> tensor<?x?xf64> {
      %j1 = arith.addi %j, %c1 : index
      %v = tensor.extract %b[%i, %j1] : tensor<?x?xf64>
      %w = tensor.extract %b[%i1, %j] : tensor<?x?xf64>
      %y = arith.mulf %v, %w : f64
      %c = tensor.insert %y into %b[%i1, %j1] : tensor<?x?xf64>
      scf.yield %c : tensor<?x?xf64>
    }
    scf.yield %s : tensor<?x?xf64>
  }
  return %r : tensor<?x?xf64>
}

// The element that an iteration reads is written by the next one.
// CHECK-LABEL: func.func @read_before_written
// CHECK-NOT: ad.promise
func.func @read_before_written(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?xf64> {
    %i1 = arith.addi %i, %c1 : index
    %v = tensor.extract %a[%i1] : tensor<?xf64>
    %w = math.sin %v : f64
    %b = tensor.insert %w into %a[%i] : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// Steps of two write odd places and read even ones, where steps of one would meet.
// CHECK-LABEL: func.func @every_second
// CHECK: "ad.promise"
func.func @every_second(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %n step %c2 iter_args(%a = %x) -> tensor<?xf64> {
    %i1 = arith.addi %i, %c1 : index
    %v = tensor.extract %a[%i1] : tensor<?xf64>
    %w = math.sin %v : f64
    %b = tensor.insert %w into %a[%i] : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// The write that was read is taken back by a branch.
// CHECK-LABEL: func.func @taken_back
// CHECK-NOT: ad.promise
func.func @taken_back(%x: tensor<?xf64>, %n: index, %p: i1) -> (tensor<?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %t = %z) -> (tensor<?xf64>, f64) {
    %i1 = arith.addi %i, %c1 : index
    %b = tensor.insert %t into %a[%i1] : tensor<?xf64>
    %v = tensor.extract %b[%i] : tensor<?xf64>
    %w = math.sin %v : f64
    %c = scf.if %p -> tensor<?xf64> {
      scf.yield %b : tensor<?xf64>
    } else {
      scf.yield %a : tensor<?xf64>
    }
    scf.yield %c, %w : tensor<?xf64>, f64
  }
  return %r#0, %r#1 : tensor<?xf64>, f64
}

// Negative indices count from the end; a branch says that there are none.
// CHECK-LABEL: func.func @guarded
// CHECK: "ad.promise"
func.func @guarded(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?xf64> {
    %first = arith.cmpi eq, %i, %c0 : index
    %b = scf.if %first -> tensor<?xf64> {
      scf.yield %a : tensor<?xf64>
    } else {
      %k = arith.subi %i, %c1 : index
      %negative = arith.cmpi slt, %k, %c0 : index
      %wrapped = arith.addi %k, %n : index
      %at = arith.select %negative, %wrapped, %k : index
      %v = tensor.extract %a[%at] : tensor<?xf64>
      %w = math.sin %v : f64
      %c = tensor.insert %w into %a[%i] : tensor<?xf64>
      scf.yield %c : tensor<?xf64>
    }
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// Beside a number that is carried, too, the array is marked; not where that would have to be stored instead.
// CHECK-LABEL: func.func @beside_a_number
// CHECK: "ad.promise"
// ALONE-LABEL: func.func @beside_a_number
// ALONE-NOT: ad.promise
func.func @beside_a_number(%x: tensor<?xf64>, %n: index) -> (tensor<?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %t = %z) -> (tensor<?xf64>, f64) {
    %i1 = arith.addi %i, %c1 : index
    %v = tensor.extract %a[%i] : tensor<?xf64>
    %w = arith.addf %v, %t : f64
    %b = tensor.insert %w into %a[%i1] : tensor<?xf64>
    scf.yield %b, %w : tensor<?xf64>, f64
  }
  return %r#0, %r#1 : tensor<?xf64>, f64
}

// A map writes into an array of its own that begins as the carried one.
// CHECK-LABEL: func.func @copied_in_a_map
// CHECK-NOT: ad.promise
func.func @copied_in_a_map(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?xf64> {
    %i1 = arith.addi %i, %c1 : index
    %v = tensor.extract %a[%i] : tensor<?xf64>
    %m = "soac.map"(%n) ({
    ^bb0(%k: index):
      %c = tensor.insert %v into %a[%k] : tensor<?xf64>
      %e = tensor.extract %c[%c0] : tensor<?xf64>
      "soac.yield"(%e) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?xf64>
    %w = tensor.extract %m[%c0] : tensor<?xf64>
    %b = tensor.insert %w into %a[%i1] : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
