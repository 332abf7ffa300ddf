// Every float operation gets exactly the given flags; others are left alone.
// RUN: tapeless-opt --pass-pipeline="builtin.module(lower-fastmath{flags=reassoc,contract})" %s | filecheck %s
// RUN: tapeless-opt --lower-fastmath %s | filecheck %s --check-prefix=DEFAULT

// CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<reassoc,contract> : f64
// CHECK: math.exp %{{.*}} fastmath<reassoc,contract> : f64
// CHECK: arith.addi %{{.*}}, %{{.*}} : i64
// DEFAULT: arith.addf %{{.*}}, %{{.*}} fastmath<contract> : f64
// DEFAULT: math.exp %{{.*}} fastmath<contract> : f64
func.func @f(%x: f64, %n: i64) -> (f64, i64) {
  %y = arith.addf %x, %x : f64
  %z = math.exp %y fastmath<nnan> : f64
  %m = arith.addi %n, %n : i64
  return %z, %m : f64, i64
}
