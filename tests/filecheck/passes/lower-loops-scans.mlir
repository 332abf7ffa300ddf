// lower-loops cuts large scans into pieces, which it takes by vectors of whole registers.
// RUN: tapeless-opt --loops %s | filecheck %s
// RUN: tapeless-opt --loops="vector-bits=128" %s | filecheck %s
// RUN: tapeless-opt --loops="vector-bits=1024" %s | filecheck %s --check-prefix=WIDE
// RUN: tapeless-opt --loops="threads=2" %s | filecheck %s --check-prefix=THREADS
// RUN: tapeless-opt --loops="sequential=true" %s | filecheck %s --check-prefix=ORACLE

// Few elements take one loop; else one thread finds totals and prefixes of a piece in one pass, eight elements at a time.
// CHECK-LABEL: func.func @prefixes
// CHECK: scf.if
// CHECK: scf.for
// CHECK: } else {
// CHECK: scf.for
// CHECK: %[[X:.*]] = vector.load %{{.*}} : memref<?xf64>, vector<8xf64>
// CHECK: vector.shuffle %[[X]], %[[X]] [0, 0, 1, 2, 3, 4, 5, 6]
// CHECK: vector.store %{{.*}} : memref<?xf64>, vector<8xf64>

// WIDE-LABEL: func.func @prefixes
// WIDE: vector.load %{{.*}} : memref<?xf64>, vector<16xf64>

// Threads make two passes: totals, then prefixes.
// THREADS-LABEL: func.func private @prefixes_part0
// THREADS: vector.load
// THREADS-NOT: vector.store
// THREADS-LABEL: func.func private @prefixes_part1
// THREADS: vector.load
// THREADS: vector.store

// ORACLE-LABEL: func.func @prefixes
// ORACLE-NOT: scf.if
// ORACLE-NOT: vector
// ORACLE: return
func.func @prefixes(%x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %y = "soac.scan"(%n, %x, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %s = arith.addf %a, %b : f64
    "soac.yield"(%s) : (f64) -> ()
  }) {exclusive = false, reverse = false, operandSegmentSizes = array<i32: 1, 1, 1>}
    : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
