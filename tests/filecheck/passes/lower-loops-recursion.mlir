// lower-loops makes functions of their own of those that call themselves: arrays are changed in place where that is safe.
// RUN: tapeless-opt --soac-inline --loops %s | filecheck %s

// Both calls work in the memory of the argument. The stack is looked at first.
// CHECK-LABEL: func.func private @bump
// CHECK-SAME: (%[[LOW:.*]]: index, %[[HIGH:.*]]: index, %[[X:.*]]: memref<?xf64>)
// CHECK: call @tl_check_stack
// CHECK: memref.store %{{.*}}, %[[X]]
// CHECK-NOT: memref.alloc
// CHECK: call @bump(%[[LOW]], %[[MIDDLE:.*]], %[[X]])
// CHECK: call @bump(%[[MIDDLE]], %[[HIGH]], %[[X]])
func.func private @bump(%low: index, %high: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f64
  %n = arith.subi %high, %low : index
  %ends = arith.cmpi sle, %n, %c1 : index
  %r = scf.if %ends -> (tensor<?xf64>) {
    %e = tensor.extract %x[%low] : tensor<?xf64>
    %f = arith.addf %e, %one : f64
    %i = tensor.insert %f into %x[%low] : tensor<?xf64>
    scf.yield %i : tensor<?xf64>
  } else {
    %h = arith.divsi %n, %c2 : index
    %middle = arith.addi %low, %h : index
    %a = func.call @bump(%low, %middle, %x) : (index, index, tensor<?xf64>) -> tensor<?xf64>
    %b = func.call @bump(%middle, %high, %a) : (index, index, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// Arrays that come back as others than they went in get memory from the caller.
// CHECK-LABEL: func.func private @exchange
// CHECK-SAME: (%{{.*}}: i64, %{{.*}}: memref<4xf64>, %{{.*}}: memref<4xf64>, %{{.*}}: memref<4xf64>, %{{.*}}: memref<4xf64>)
func.func private @exchange(%n: i64, %x: tensor<4xf64>, %y: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %ends = arith.cmpi sle, %n, %c0 : i64
  %r:2 = scf.if %ends -> (tensor<4xf64>, tensor<4xf64>) {
    scf.yield %x, %y : tensor<4xf64>, tensor<4xf64>
  } else {
    %m = arith.subi %n, %c1 : i64
    %z:2 = func.call @exchange(%m, %y, %x) : (i64, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
    scf.yield %z#0, %z#1 : tensor<4xf64>, tensor<4xf64>
  }
  return %r#0, %r#1 : tensor<4xf64>, tensor<4xf64>
}

// What is read afterwards is copied before the call; a row is copied there and back.
// CHECK-LABEL: func.func @f
// CHECK-SAME: %[[X:.*]]: memref<?xf64>, %[[ROWS:.*]]: memref<?x?xf64>, %{{.*}}: memref<4xf64>, %[[OUT:.*]]: memref<?xf64>, %[[ROWS_OUT:.*]]: memref<?x?xf64>
// CHECK: memref.copy %[[X]], %[[OUT]]
// CHECK: call @bump(%{{.*}}, %{{.*}}, %[[OUT]])
// CHECK: %[[ROW:.*]] = memref.alloc(%{{.*}}) : memref<?xf64>
// CHECK: call @bump(%{{.*}}, %{{.*}}, %[[ROW]])
// CHECK: call @exchange
func.func @f(%x: tensor<?xf64>, %rows: tensor<?x?xf64>, %s: tensor<4xf64>)
    -> (tensor<?xf64>, tensor<?x?xf64>, tensor<4xf64>, tensor<4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %y = func.call @bump(%c0, %n, %x) : (index, index, tensor<?xf64>) -> tensor<?xf64>
  %m = tensor.dim %rows, %c1 : tensor<?x?xf64>
  %row = tensor.extract_slice %rows[0, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
  %new = func.call @bump(%c0, %m, %row) : (index, index, tensor<?xf64>) -> tensor<?xf64>
  %all = tensor.insert_slice %new into %rows[0, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
  %k = arith.constant 3 : i64
  %pair:2 = func.call @exchange(%k, %s, %s) : (i64, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %y, %all, %pair#0, %pair#1 : tensor<?xf64>, tensor<?x?xf64>, tensor<4xf64>, tensor<4xf64>
}
