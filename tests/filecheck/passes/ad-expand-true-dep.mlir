// Arrays that lose no value that is read again are stored at no level of a nest; with checks, a digest of what is read is.
// RUN: tapeless-opt --ad-promises --ad-expand=checks=false %s | filecheck %s --check-prefix=OFF
// RUN: tapeless-opt --ad-promises --ad-expand %s | filecheck %s --check-prefix=ON

func.func private @chain(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?xf64> {
    %e = tensor.extract %a[%i] : tensor<?xf64>
    %s = math.sin %e : f64
    %j = arith.addi %i, %c1 : index
    %b = tensor.insert %s into %a[%j] : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  } {ad.true_dep = array<i64: 0>, ad.stripmine = 2 : i64}
  return %r : tensor<?xf64>
}

// Forward the nest runs once and stores nothing; back it reads the final array and writes nothing into it.
// OFF-LABEL: func.func @chain_vjp(
// OFF-NOT: tensor.empty
// OFF: %[[FINAL:.*]] = scf.for
// OFF: scf.for
// OFF: tensor.insert
// OFF: scf.for %{{.*}} iter_args(%[[OUTER:.*]] = %{{.*}}) -> (tensor<?xf64>)
// OFF: scf.for %{{.*}} iter_args(%[[BAR:.*]] = %[[OUTER]]) -> (tensor<?xf64>)
// OFF: tensor.extract %[[FINAL]]
// OFF: math.cos
// OFF-NOT: soac.assert

// The digests at the start of the chunks are stored, and those of one chunk; both levels compare.
// ON-LABEL: func.func @chain_vjp(
// ON: tensor.empty(%{{.*}}) : tensor<?xi64>
// ON: scf.for %{{.*}} -> (tensor<?xf64>, i64, tensor<?xi64>)
// ON: arith.bitcast %{{.*}} : f32 to i32
// ON: tensor.empty(%{{.*}}) : tensor<?xi64>
// ON: scf.for %{{.*}} -> (i64, tensor<?xi64>)
// ON: scf.for %{{.*}} -> (tensor<?xf64>, i64)
// ON: "soac.assert"(%{{.*}}) {kind = "TapelessError", message = "an array named in true_dep was overwritten
// ON: "soac.assert"(%{{.*}}) {kind = "TapelessError", message = "an array named in true_dep was overwritten
func.func @chain_vjp(%x: tensor<?xf64>, %n: index, %bar: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = "ad.vjp"(%x, %n, %bar) {
    callee = @chain, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (tensor<?xf64>, index, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
