// RUN: tapeless-opt --soac-int-ranges %s | filecheck %s

// A search that starts at zero is nowhere below it: no place is counted from the end, and halves need no sign.
// CHECK-LABEL: func.func @search
// CHECK: scf.while
// CHECK: do
// CHECK-NEXT: ^bb0(%[[HIGH:.*]]: i64, %[[LOW:.*]]: i64):
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[HIGH]], %[[LOW]]
// CHECK-NEXT: %[[MIDDLE:.*]] = arith.divui %[[SUM]]
// CHECK-NEXT: %[[AT:.*]] = arith.index_cast %[[MIDDLE]]
// CHECK-NEXT: tensor.extract %{{.*}}[%[[AT]]]
// CHECK-NEXT: arith.cmpf
// CHECK-NEXT: arith.select
// CHECK-NEXT: arith.select
// CHECK-NEXT: scf.yield
func.func @search(%grid: tensor<?xf64>, %x: f64) -> i64 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %zero = arith.constant 0 : i64
  %n = tensor.dim %grid, %c0 : tensor<?xf64>
  %n64 = arith.index_cast %n : index to i64
  %last = arith.subi %n64, %one : i64
  %found:2 = scf.while (%high = %last, %low = %zero) : (i64, i64) -> (i64, i64) {
    %width = arith.subi %high, %low : i64
    %more = arith.cmpi sgt, %width, %one : i64
    scf.condition(%more) %high, %low : i64, i64
  } do {
  ^bb0(%high: i64, %low: i64):
    %sum = arith.addi %high, %low : i64
    %towards_zero = arith.divsi %sum, %two : i64
    %rest = arith.remsi %sum, %two : i64
    %below = arith.subi %towards_zero, %one : i64
    %signs = arith.xori %rest, %two : i64
    %differ = arith.cmpi slt, %signs, %zero : i64
    %has_rest = arith.cmpi ne, %rest, %zero : i64
    %rounds = arith.andi %differ, %has_rest : i1
    %middle = arith.select %rounds, %below, %towards_zero : i64
    %at = arith.index_cast %middle : i64 to index
    %negative = arith.cmpi slt, %at, %c0 : index
    %from_end = arith.addi %at, %n : index
    %place = arith.select %negative, %from_end, %at : index
    %e = tensor.extract %grid[%place] : tensor<?xf64>
    %up = arith.cmpf ole, %e, %x : f64
    %new_high = arith.select %up, %high, %middle : i64
    %new_low = arith.select %up, %middle, %low : i64
    scf.yield %new_high, %new_low : i64, i64
  }
  return %found#1 : i64
}

// Of an argument nothing is known, nor of what may have overflowed.
// CHECK-LABEL: func.func @unknown
// CHECK: arith.cmpi slt
// CHECK: arith.select
// CHECK: scf.for
// CHECK: arith.cmpi slt
// CHECK: arith.select
func.func @unknown(%n: index, %k: i64) -> (i64, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %negative = arith.cmpi slt, %k, %zero : i64
  %a = arith.select %negative, %zero, %k : i64
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%x = %one) -> (i64) {
    %twice = arith.addi %x, %x : i64
    %overflowed = arith.cmpi slt, %twice, %zero : i64
    %y = arith.select %overflowed, %one, %twice : i64
    scf.yield %y : i64
  }
  return %a, %end : i64, i64
}
