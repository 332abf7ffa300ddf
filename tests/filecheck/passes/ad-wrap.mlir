// ad-wrap writes a function that asks for a derivative of one that knows nothing of it.
// RUN: tapeless-opt --ad-wrap="infn=f outfn=df mode=vjp wrt=0,2 method=coarsened" %s | filecheck %s --check-prefix=VJP
// RUN: tapeless-opt --ad-wrap="infn=@f mode=jvp wrt=2" %s | filecheck %s --check-prefix=JVP
// RUN: tapeless-opt --ad-wrap=mode=grad %s | filecheck %s --check-prefix=GRAD
// RUN: tapeless-opt --ad-wrap="mode=value_and_grad wrt=2 keep" %s | filecheck %s --check-prefix=BOTH
// RUN: tapeless-opt --ad-wrap="infn=many" %s | filecheck %s --check-prefix=MANY
// RUN: tapeless-opt --ad-wrap="infn=many mode=jvp" %s | filecheck %s --check-prefix=FORWARD

// The function becomes private, so that code is made of the derivative alone, unless it is to be kept.
// VJP: func.func private @f(
// JVP: func.func private @f(
// GRAD: func.func private @f(
// BOTH: func.func @f(
func.func @f(%x: tensor<?xf64>, %n: i64, %s: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %first = tensor.extract %x[%c0] : tensor<?xf64>
  %y = arith.mulf %first, %s : f64
  return %y : f64
}

// Seeds come after the arguments, and derivatives after the results.
// VJP-LABEL: func.func @df(
// VJP-SAME: %[[X:[^:]*]]: tensor<?xf64>, %[[N:[^:]*]]: i64, %[[S:[^:]*]]: f64, %[[BAR:[^:]*]]: f64) -> (f64, tensor<?xf64>, f64)
// VJP: %[[OUTS:.*]]:3 = "ad.vjp"(%[[X]], %[[N]], %[[S]], %[[BAR]]) {callee = @f, method = "coarsened", operandSegmentSizes = array<i32: 3, 1>, wrt = [0, 2]}
// VJP: return %[[OUTS]]#0, %[[OUTS]]#1, %[[OUTS]]#2

// JVP-LABEL: func.func @f_jvp(
// JVP-SAME: %[[X:[^:]*]]: tensor<?xf64>, %[[N:[^:]*]]: i64, %[[S:[^:]*]]: f64, %[[DS:[^:]*]]: f64) -> (f64, f64)
// JVP: "ad.jvp"(%[[X]], %[[N]], %[[S]], %[[DS]]) {callee = @f, method = "redundant", operandSegmentSizes = array<i32: 3, 1>, wrt = [2]}

// A gradient starts from one; without wrt it is by all arguments that are floats.
// GRAD-LABEL: func.func @f_grad(
// GRAD-SAME: %[[X:[^:]*]]: tensor<?xf64>, %[[N:[^:]*]]: i64, %[[S:[^:]*]]: f64) -> (tensor<?xf64>, f64)
// GRAD: %[[ONE:.*]] = arith.constant 1.0
// GRAD: %[[OUTS:.*]]:3 = "ad.vjp"(%[[X]], %[[N]], %[[S]], %[[ONE]]) {{.*}}wrt = [0, 2]}
// GRAD: return %[[OUTS]]#1, %[[OUTS]]#2

// BOTH-LABEL: func.func @f_value_and_grad(
// BOTH-SAME: -> (f64, f64)
// BOTH: return %{{.*}}#0, %{{.*}}#1

func.func private @many(%x: f32, %b: i1) -> (tensor<3xf32>, i1, f64) {
  %xs = tensor.splat %x : tensor<3xf32>
  %y = arith.extf %x : f32 to f64
  return %xs, %b, %y : tensor<3xf32>, i1, f64
}

// Results that are no floats have no cotangent, and no tangent.
// MANY-LABEL: func.func @many_vjp(
// MANY-SAME: %{{[^:]*}}: f32, %{{[^:]*}}: i1, %{{[^:]*}}: tensor<3xf32>, %{{[^:]*}}: f64) -> (tensor<3xf32>, i1, f64, f32)
// FORWARD-LABEL: func.func @many_jvp(
// FORWARD-SAME: %{{[^:]*}}: f32, %{{[^:]*}}: i1, %{{[^:]*}}: f32) -> (tensor<3xf32>, i1, f64, tensor<3xf32>, f64)
