// Loops whose derivative as a whole is of lower order become segments.
// RUN: tapeless-opt --phi-segment-loops %s | filecheck %s

// An affine recurrence has a closed form.
// CHECK-LABEL: func.func @affine(
// CHECK: "phi.segment"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) ({
// CHECK: phi.iterate
// CHECK: active_in = [true, true, true, false], active_out = [true], fm = #phi.fm<"contract">, label = "loop0"
func.func @affine(%n: index, %a: f64, %b: f64, %p: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %d = scf.for %k = %zero to %n step %one iter_args(%x = %p) -> f64 {
    %m = arith.mulf %a, %x fastmath<contract> : f64
    %y = arith.addf %m, %b fastmath<contract> : f64
    scf.yield %y : f64
  }
  return %d : f64
}

// A sum over an array is as good as it is.
// CHECK-LABEL: func.func @sum(
// CHECK-NOT: phi.segment
// CHECK: return
func.func @sum(%n: index, %xs: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f64
  %d = scf.for %k = %zero to %n step %one iter_args(%x = %none) -> f64 {
    %e = tensor.extract %xs[%k] : tensor<?xf64>
    %y = arith.addf %x, %e fastmath<contract> : f64
    scf.yield %y : f64
  }
  return %d : f64
}

// A few steps are left to be unrolled.
// CHECK-LABEL: func.func @short(
// CHECK-NOT: phi.segment
// CHECK: return
func.func @short(%a: f64, %p: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %d = scf.for %k = %zero to %three step %one iter_args(%x = %p) -> f64 {
    %y = arith.mulf %x, %a fastmath<contract> : f64
    scf.yield %y : f64
  }
  return %d : f64
}

// Descent with an end when it is small: the sum leaves the loop. A check that no step changes is made before the loop.
// CHECK-LABEL: func.func @descent(
// CHECK: %[[PASSED:.*]] = arith.ori
// CHECK: "soac.assert"(%[[PASSED]], %{{.*}})
// CHECK: "phi.segment"
// CHECK: phi.while
// CHECK-NOT: soac.assert
// CHECK: return
func.func @descent(%xs: tensor<?xf64>, %rate: f64, %small: f64, %limit: index, %ok: i1) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %size = tensor.dim %xs, %c0 : tensor<?xf64>
  %w:2 = scf.while (%i = %c0, %stop = %false, %x = %zero) : (index, i1, f64) -> (index, f64) {
    %less = arith.cmpi slt, %i, %limit : index
    %on = arith.xori %stop, %true : i1
    %both = arith.andi %less, %on : i1
    scf.condition(%both) %i, %x : index, f64
  } do {
  ^bb0(%i: index, %x: f64):
    "soac.assert"(%ok, %size) {kind = "IndexOutOfRange", message = "size {}"} : (i1, index) -> ()
    %g = scf.for %k = %c0 to %size step %c1 iter_args(%s = %zero) -> f64 {
      %e = tensor.extract %xs[%k] : tensor<?xf64>
      %t = arith.mulf %e, %x fastmath<contract> : f64
      %u = arith.subf %t, %one fastmath<contract> : f64
      %v = arith.mulf %e, %u fastmath<contract> : f64
      %s1 = arith.addf %s, %v fastmath<contract> : f64
      scf.yield %s1 : f64
    }
    %abs = math.absf %g fastmath<contract> : f64
    %done = arith.cmpf olt, %abs, %small : f64
    %next = scf.if %done -> f64 {
      scf.yield %x : f64
    } else {
      %r = arith.mulf %rate, %g fastmath<contract> : f64
      %y = arith.subf %x, %r fastmath<contract> : f64
      scf.yield %y : f64
    }
    %i1 = arith.addi %i, %c1 : index
    scf.yield %i1, %done, %next : index, i1, f64
  }
  return %w#1 : f64
}
