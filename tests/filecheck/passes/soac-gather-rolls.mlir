// A roll that nests of maps read element by element is read where its elements lie; others stay.
// RUN: tapeless-opt --soac-gather-rolls --canonicalize %s | filecheck %s

// CHECK-LABEL: func.func @read
// CHECK-NOT: tensor.concat
// CHECK: "soac.map"(%[[N:.*]], %{{.*}}) ({
// CHECK: ^bb0(%[[I:.*]]: index
// CHECK: %[[MOVED:.*]] = arith.addi %[[I]], %arg1
// CHECK: %[[INSIDE:.*]] = arith.cmpi slt, %[[MOVED]], %[[N]]
// CHECK: %[[BACK:.*]] = arith.subi %[[MOVED]], %[[N]]
// CHECK: %[[PLACE:.*]] = arith.select %[[INSIDE]], %[[MOVED]], %[[BACK]]
// CHECK: tensor.extract %arg0[%[[PLACE]]]
func.func @read(%x: tensor<?xf64>, %k: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %rest = arith.subi %n, %k : index
  %a = tensor.extract_slice %x[%k] [%rest] [1] : tensor<?xf64> to tensor<?xf64>
  %b = tensor.extract_slice %x[0] [%k] [1] : tensor<?xf64> to tensor<?xf64>
  %r = tensor.concat dim(0) %a, %b : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %y = "soac.map"(%n, %r) ({
  ^bb0(%i: index, %e: f64):
    %s = math.sin %e : f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Here the beginning is not all that is before the end, and there the roll is returned.
// CHECK-LABEL: func.func @parts
// CHECK: tensor.concat
// CHECK: tensor.concat
func.func @parts(%x: tensor<?xf64>, %k: index, %m: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %rest = arith.subi %n, %k : index
  %a = tensor.extract_slice %x[%k] [%rest] [1] : tensor<?xf64> to tensor<?xf64>
  %b = tensor.extract_slice %x[0] [%m] [1] : tensor<?xf64> to tensor<?xf64>
  %c = tensor.extract_slice %x[0] [%k] [1] : tensor<?xf64> to tensor<?xf64>
  %r = tensor.concat dim(0) %a, %b : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %s = tensor.concat dim(0) %a, %c : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %width = tensor.dim %r, %c0 : tensor<?xf64>
  %y = "soac.map"(%width, %r) ({
  ^bb0(%i: index, %e: f64):
    %t = math.sin %e : f64
    "soac.yield"(%t) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %y, %s : tensor<?xf64>, tensor<?xf64>
}
