// The best values of bins with their first places: on GPUs, words that threads update in shared memory, or in one array.
// RUN: tapeless-opt --loops="target=cuda" %s | filecheck %s

// CHECK-LABEL: func.func {{.*}}@placed
// CHECK: arith.cmpi sle
// CHECK: scf.if
// CHECK: memref.alloca({{.*}}) : memref<?xi64, #gpu.address_space<workgroup>>
// CHECK: tapeless.threads
// CHECK: arith.cmpi slt, {{.*}} : i64
// CHECK-NEXT: scf.if
// CHECK-NEXT: memref.atomic_rmw mins {{.*}} : (i64, memref<?xi64, #gpu.address_space<workgroup>>) -> i64
// CHECK: tapeless.threads
// CHECK: tapeless.threads
// CHECK: tapeless.launch = "each block"
// CHECK: else
// CHECK: memref.atomic_rmw mins {{.*}} : (i64, memref<?xi64>) -> i64
// CHECK: tapeless.launch = "each thread"
// CHECK: scf.for {{.*}} step %c2147483647
// CHECK: memref.atomic_rmw mins {{.*}} : (i64, memref<?xi64>) -> i64
func.func @placed(%n: index, %keys: tensor<?xi32>, %x: tensor<?xf32>, %dest: tensor<?xf32>, %places: tensor<?xi64>) -> (tensor<?xf32>, tensor<?xi64>) {
  %inf = arith.constant 0x7F800000 : f32
  %nobody = arith.constant -1 : i64
  %none = arith.constant 9223372036854775807 : i64
  %h:2 = "soac.fused_hist"(%n, %keys, %x, %dest, %places, %inf, %none) ({
  ^bb0(%i: index, %key: i32, %value: f32):
    %k = arith.index_cast %key : i32 to index
    %place = arith.index_cast %i : index to i64
    "soac.yield"(%k, %value, %place) : (index, f32, i64) -> ()
  }, {
  ^bb0(%a: f32, %at_a: i64, %b: f32, %at_b: i64):
    %m = arith.minimumf %a, %b : f32
    %is_a = arith.cmpf oeq, %a, %m : f32
    %is_b = arith.cmpf oeq, %b, %m : f32
    %smaller = arith.minsi %at_a, %at_b : i64
    %both = arith.select %is_b, %smaller, %at_a : i64
    %one = arith.select %is_b, %at_b, %nobody : i64
    %at = arith.select %is_a, %both, %one : i64
    "soac.yield"(%m, %at) : (f32, i64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 2, 2>, soac.first = "min"} : (index, tensor<?xi32>, tensor<?xf32>, tensor<?xf32>, tensor<?xi64>, f32, i64) -> (tensor<?xf32>, tensor<?xi64>)
  return %h#0, %h#1 : tensor<?xf32>, tensor<?xi64>
}

// Places that are not numbers of iterations do not fit into words.
// CHECK-LABEL: func.func {{.*}}@elsewhere
// CHECK-NOT: memref.atomic_rmw
// CHECK: return
func.func @elsewhere(%n: index, %keys: tensor<?xi32>, %x: tensor<?xf32>, %dest: tensor<?xf32>, %places: tensor<?xi64>) -> (tensor<?xf32>, tensor<?xi64>) {
  %inf = arith.constant 0x7F800000 : f32
  %nobody = arith.constant -1 : i64
  %none = arith.constant 9223372036854775807 : i64
  %h:2 = "soac.fused_hist"(%n, %keys, %x, %dest, %places, %inf, %none) ({
  ^bb0(%i: index, %key: i32, %value: f32):
    %k = arith.index_cast %key : i32 to index
    %place = arith.extsi %key : i32 to i64
    "soac.yield"(%k, %value, %place) : (index, f32, i64) -> ()
  }, {
  ^bb0(%a: f32, %at_a: i64, %b: f32, %at_b: i64):
    %m = arith.minimumf %a, %b : f32
    %is_a = arith.cmpf oeq, %a, %m : f32
    %is_b = arith.cmpf oeq, %b, %m : f32
    %smaller = arith.minsi %at_a, %at_b : i64
    %both = arith.select %is_b, %smaller, %at_a : i64
    %one = arith.select %is_b, %at_b, %nobody : i64
    %at = arith.select %is_a, %both, %one : i64
    "soac.yield"(%m, %at) : (f32, i64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 2, 2>, soac.first = "min"} : (index, tensor<?xi32>, tensor<?xf32>, tensor<?xf32>, tensor<?xi64>, f32, i64) -> (tensor<?xf32>, tensor<?xi64>)
  return %h#0, %h#1 : tensor<?xf32>, tensor<?xi64>
}

// Extremes alone are words of their own size.
// CHECK-LABEL: func.func {{.*}}@alone
// CHECK: memref.atomic_rmw mins {{.*}} : (i32, memref<?xi32, #gpu.address_space<workgroup>>) -> i32
// CHECK: arith.bitcast {{.*}} : i32 to f32
// CHECK: memref.atomic_rmw mins {{.*}} : (i32, memref<?xi32>) -> i32
// CHECK-NOT: step %c2147483647
// CHECK: return
func.func @alone(%n: index, %keys: tensor<?xi32>, %x: tensor<?xf32>, %dest: tensor<?xf32>) -> tensor<?xf32> {
  %inf = arith.constant 0xFF800000 : f32
  %h = "soac.hist"(%n, %keys, %dest, %x, %inf) ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.maximumf %a, %b : f32
    "soac.yield"(%m) : (f32) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, tensor<?xi32>, tensor<?xf32>, tensor<?xf32>, f32) -> tensor<?xf32>
  return %h : tensor<?xf32>
}
