// rev-mark-exact marks ancillas that routines bring back to 0 exactly.
// RUN: tapeless-opt --rev-mark-exact %s | filecheck %s

// One sum of a routine, in a number and in elements of a parallel loop.
// CHECK-LABEL: ^bb0(%{{.*}}: memref<?xf64>, %{{.*}}: memref<3xf64>):
// CHECK: "rev.compute"
// CHECK: }) : () -> ()
// CHECK-NEXT: }) {exact} : () -> ()
// CHECK-NEXT: }) {exact} : () -> ()
// CHECK-NEXT: }) {modes = ["inout", "in"], sym_name = "once"}
"rev.func"() ({
^bb0(%y: memref<?xf64>, %x: memref<3xf64>):
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = memref.dim %y, %c0 : memref<?xf64>
  "rev.ancilla"() ({
    "rev.yield"(%zero) : (f64) -> ()
  }, {}, {
  ^bb0(%z: memref<f64>):
    "rev.ancilla"() ({
      %zeros = tensor.splat %zero : tensor<3xf64>
      "rev.yield"(%zeros) : (tensor<3xf64>) -> ()
    }, {}, {
    ^bb0(%zs: memref<3xf64>):
      "rev.compute"() ({
        "rev.accum"(%z) ({
          %v = memref.load %x[%c0] : memref<3xf64>
          "rev.yield"(%v) : (f64) -> ()
        }) {kind = "add"} : (memref<f64>) -> ()
        "rev.parallel"(%c3) ({
        ^bb0(%i: index):
          "rev.accum"(%zs, %i) ({
            %v = memref.load %x[%i] : memref<3xf64>
            "rev.yield"(%v) : (f64) -> ()
          }) {kind = "add"} : (memref<3xf64>, index) -> ()
        }) {shadows = "privatize"} : (index) -> ()
      }, {
        "rev.accum"(%y, %c0) ({
          %v = memref.load %z[] : memref<f64>
          "rev.yield"(%v) : (f64) -> ()
        }) {kind = "add"} : (memref<?xf64>, index) -> ()
      }) : () -> ()
    }) : () -> ()
  }) : () -> ()
}) {sym_name = "once", modes = ["inout", "in"]} : () -> ()

// Two sums round, and so does one that is added to something; what stands in no routine may be anything.
// CHECK-NOT: {exact}
"rev.func"() ({
^bb0(%y: memref<f64>, %x: memref<f64>):
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  "rev.ancilla"() ({
    "rev.yield"(%zero) : (f64) -> ()
  }, {}, {
  ^bb0(%z: memref<f64>):
    "rev.compute"() ({
      "rev.accum"(%z) ({
        %v = memref.load %x[] : memref<f64>
        "rev.yield"(%v) : (f64) -> ()
      }) {kind = "add"} : (memref<f64>) -> ()
      "rev.accum"(%z) ({
        "rev.yield"(%one) : (f64) -> ()
      }) {kind = "add"} : (memref<f64>) -> ()
    }, {
      "rev.neg"(%y) : (memref<f64>) -> ()
    }) : () -> ()
  }) : () -> ()
  "rev.ancilla"() ({
    "rev.yield"(%one) : (f64) -> ()
  }, {}, {
  ^bb0(%z: memref<f64>):
    "rev.compute"() ({
      "rev.accum"(%z) ({
        %v = memref.load %x[] : memref<f64>
        "rev.yield"(%v) : (f64) -> ()
      }) {kind = "add"} : (memref<f64>) -> ()
    }, {
      "rev.neg"(%y) : (memref<f64>) -> ()
    }) : () -> ()
  }) : () -> ()
  "rev.ancilla"() ({
    "rev.yield"(%zero) : (f64) -> ()
  }, {}, {
  ^bb0(%z: memref<f64>):
    "rev.accum"(%z) ({
      %v = memref.load %x[] : memref<f64>
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
  }) : () -> ()
}) {sym_name = "others", modes = ["inout", "in"]} : () -> ()
