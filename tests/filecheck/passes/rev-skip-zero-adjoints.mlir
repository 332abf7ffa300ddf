// rev-skip-zero-adjoints leaves out what is done to shadows that are 0.
// RUN: tapeless-opt --rev-adjoint=procedures=f --rev-skip-zero-adjoints %s | filecheck %s
// RUN: tapeless-opt --rev-adjoint=procedures=f --rev-invert=procedures=f.adj --rev-skip-zero-adjoints %s | filecheck %s --check-prefix=INVERSE

// The first leg of the block has no statement on shadows, the last one has.
// CHECK: ^bb0(%[[Y:.*]]: memref<f64>, %[[X:.*]]: memref<f64>, %[[Y_BAR:.*]]: memref<f64>, %[[X_BAR:.*]]: memref<f64>):
// CHECK: ^bb0(%[[Z_BAR:.*]]: memref<f64>):
// CHECK: ^bb0(%[[Z:.*]]: memref<f64>):
// CHECK-NEXT: "rev.accum"(%[[Z]])
// CHECK:      {kind = "add"}
// CHECK-NEXT: "rev.accum"(%[[Z_BAR]])
// CHECK:      {kind = "sub"}
// CHECK-NEXT: "rev.accum"(%[[Y]])
// CHECK:      {kind = "add"}
// CHECK-NEXT: "rev.accum"(%[[Z]])
// CHECK:      {kind = "sub"}
// CHECK-NEXT: "rev.accum"(%[[X_BAR]])
// CHECK:      {kind = "add", leg = "last"}

// In the inverse the legs have changed places.
// INVERSE: sym_name = "f.adj"
// INVERSE: ^bb0(%[[Y:.*]]: memref<f64>, %[[X:.*]]: memref<f64>, %[[Y_BAR:.*]]: memref<f64>, %[[X_BAR:.*]]: memref<f64>):
// INVERSE: ^bb0(%[[Z_BAR:.*]]: memref<f64>):
// INVERSE: ^bb0(%[[Z:.*]]: memref<f64>):
// INVERSE-NEXT: "rev.accum"(%[[Z]])
// INVERSE:      {kind = "add"}
// INVERSE-NEXT: "rev.accum"(%[[Y]])
// INVERSE:      {kind = "sub"}
// INVERSE-NEXT: "rev.accum"(%[[Z_BAR]])
// INVERSE:      {kind = "add"}
// INVERSE-NEXT: "rev.accum"(%[[Z]])
// INVERSE:      {kind = "sub"}
// INVERSE-NEXT: "rev.accum"(%[[X_BAR]])
// INVERSE:      {kind = "add", leg = "last"}
"rev.func"() ({
^bb0(%y: memref<f64>, %x: memref<f64>):
  "rev.ancilla"() ({
    %zero = arith.constant 0.0 : f64
    "rev.yield"(%zero) : (f64) -> ()
  }, {}, {
  ^bb0(%z: memref<f64>):
    "rev.compute"() ({
      "rev.accum"(%z) ({
        %v = memref.load %x[] : memref<f64>
        %s = math.sin %v : f64
        "rev.yield"(%s) : (f64) -> ()
      }) {kind = "add"} : (memref<f64>) -> ()
    }, {
      "rev.accum"(%y) ({
        %v = memref.load %z[] : memref<f64>
        %e = math.exp %v : f64
        "rev.yield"(%e) : (f64) -> ()
      }) {kind = "add"} : (memref<f64>) -> ()
    }) : () -> ()
  }) : () -> ()
}) {sym_name = "f", modes = ["inout", "in"]} : () -> ()
