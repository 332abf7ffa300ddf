// linalg-to-core: structured operations become maps, reductions, products and scans; tensors without axes are numbers.
// RUN: tapeless-opt --linalg-to-core --split-input-file %s | filecheck %s

// A product has the form of a @ b: rows of the first operand by columns of the second; zeros to start from go.
// CHECK-LABEL: func.func @product(
// CHECK-SAME: %[[A:[^:]*]]: tensor<2x3xf32>, %[[B:[^:]*]]: tensor<3x4xf32>
// CHECK: %[[COLUMNS:.*]] = "soac.transpose"(%[[B]]) {permutation = [1, 0]}
// CHECK: %[[ROWS:.*]] = "soac.map"(%{{.*}}, %[[A]])
// CHECK-NEXT: ^bb0(%{{[^:]*}}: index, %[[ROW:[^:]*]]: tensor<3xf32>):
// CHECK: "soac.map"(%{{.*}}, %[[COLUMNS]])
// CHECK-NEXT: ^bb0(%{{[^:]*}}: index, %[[COLUMN:[^:]*]]: tensor<3xf32>):
// CHECK: "soac.map"(%{{.*}}, %[[ROW]], %[[COLUMN]])
// CHECK: arith.mulf {{.*}} fastmath<contract>
// CHECK: "soac.reduce"
// CHECK: arith.addf
// CHECK: return %[[ROWS]]
func.func @product(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<2x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  %r = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x4xf32>) outs(%s : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

// A convolution is a product with a matrix of windows, which is made of slices; what it is added to is added.
// CHECK-LABEL: func.func @convolution(
// CHECK-SAME: %[[X:[^:]*]]: tensor<1x2x4x4xf64>, %[[W:[^:]*]]: tensor<3x2x2x2xf64>, %[[S:[^:]*]]: tensor<1x3x3x3xf64>
// CHECK: %[[CHANNELS_LAST:.*]] = "soac.transpose"(%[[X]]) {permutation = [0, 2, 3, 1]}
// CHECK-COUNT-4: tensor.extract_slice %[[CHANNELS_LAST]]
// CHECK: tensor.concat dim(3)
// CHECK: -> tensor<9x8xf64>
// CHECK: "soac.reduce"
// CHECK: "soac.map"(%{{.*}}, %[[S]], %{{.*}})
func.func @convolution(%x: tensor<1x2x4x4xf64>, %w: tensor<3x2x2x2xf64>, %s: tensor<1x3x3x3xf64>) -> tensor<1x3x3x3xf64> {
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<1x2x4x4xf64>, tensor<3x2x2x2xf64>) outs(%s : tensor<1x3x3x3xf64>) -> tensor<1x3x3x3xf64>
  return %r : tensor<1x3x3x3xf64>
}

// -----

// A sum over windows that end with each element is a scan, of the array without its padding.
// CHECK-LABEL: func.func @running(
// CHECK-SAME: %[[X:[^:]*]]: tensor<5xf64>
// CHECK-NOT: tensor.insert_slice
// CHECK: "soac.scan"(%{{.*}}, %[[X]], %{{.*}})
// CHECK: reverse = false
func.func @running(%x: tensor<5xf64>) -> tensor<5xf64> {
  %zero = arith.constant 0.0 : f64
  %o = tensor.empty() : tensor<5xf64>
  %w = tensor.empty() : tensor<5xf64>
  %s = linalg.fill ins(%zero : f64) outs(%o : tensor<5xf64>) -> tensor<5xf64>
  %p = tensor.pad %x low[4] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f64
  } : tensor<5xf64> to tensor<9xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>,
      affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%p, %w : tensor<9xf64>, tensor<5xf64>) outs(%s : tensor<5xf64>) {
  ^bb0(%e: f64, %u: f64, %a: f64):
    %c = arith.addf %a, %e : f64
    linalg.yield %c : f64
  } -> tensor<5xf64>
  return %r : tensor<5xf64>
}

// -----

// Bodies that are no operators run one iteration after the other.
// CHECK-LABEL: func.func @in_order(
// CHECK: "soac.map"
// CHECK: scf.for {{.*}} iter_args
// CHECK: tensor.extract
// CHECK: arith.subf
func.func @in_order(%x: tensor<3x4xf64>, %s: tensor<3xf64>) -> tensor<3xf64> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x4xf64>) outs(%s : tensor<3xf64>) {
  ^bb0(%e: f64, %a: f64):
    %c = arith.subf %e, %a : f64
    linalg.yield %c : f64
  } -> tensor<3xf64>
  return %r : tensor<3xf64>
}

// -----

// Tensors without axes are numbers, in loops and calls too; arithmetic on tensors is a map; checks keep their words.
// CHECK-LABEL: func.func @numbers(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[V:[^:]*]]: tensor<?xf64>, %[[N:[^:]*]]: i32) -> (f64, tensor<?xf64>)
// CHECK: arith.index_cast %[[N]] : i32 to index
// CHECK: %[[END:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]]) -> (f64)
// CHECK: arith.mulf %[[A]], %[[A]] fastmath<contract> : f64
// CHECK: "soac.assert"({{.*}}) {kind = "CheckFailed", message = "must be positive"}
// CHECK: "soac.map"(%{{.*}}, %[[V]])
// CHECK: return %[[END]]
func.func @numbers(%x: tensor<f64>, %v: tensor<?xf64>, %n: i32) -> (tensor<f64>, tensor<?xf64>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> (tensor<f64>) : i32 {
    %b = arith.mulf %a, %a : tensor<f64>
    scf.yield %b : tensor<f64>
  }
  %more = arith.cmpi sgt, %n, %zero : i32
  cf.assert %more, "must be positive"
  %y = arith.addf %v, %v : tensor<?xf64>
  return %r, %y : tensor<f64>, tensor<?xf64>
}

// -----

// Padding is an array that the other one is put into; reshapes are reshapes.
// CHECK-LABEL: func.func @tensors(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x6xf32>, %[[V:[^:]*]]: f32
// CHECK: %[[AROUND:.*]] = tensor.splat %[[V]] : tensor<3x8xf32>
// CHECK: %[[PADDED:.*]] = tensor.insert_slice %[[X]] into %[[AROUND]][1, 2] [2, 6] [1, 1]
// CHECK: tensor.reshape %[[PADDED]]
// CHECK-SAME: -> tensor<24xf32>
func.func @tensors(%x: tensor<2x6xf32>, %v: f32) -> tensor<24xf32> {
  %p = tensor.pad %x low[1, 2] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<2x6xf32> to tensor<3x8xf32>
  %r = tensor.collapse_shape %p [[0, 1]] : tensor<3x8xf32> into tensor<24xf32>
  return %r : tensor<24xf32>
}

// -----

// A switch is a chain of branches with the default at its end, a region is what it does, and a rank is a number.
// CHECK-LABEL: func.func @structure(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4xf64>, %[[I:[^:]*]]: i64
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[SEVEN:.*]] = arith.constant 7 : index
// CHECK-DAG: %[[AT:.*]] = arith.index_cast %[[I]]
// CHECK-DAG: %[[SINE:.*]] = math.sin 
// CHECK-DAG: %[[COSINE:.*]] = math.cos
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[AT]], %[[SEVEN]]
// CHECK: scf.if %[[IS]] -> (f64) {
// CHECK-NEXT: scf.yield %[[SINE]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[COSINE]]
// CHECK-NOT: execute_region
func.func @structure(%x: tensor<4xf64>, %i: i64) -> f64 {
  %rank = tensor.rank %x : tensor<4xf64>
  %at = arith.index_cast %i : i64 to index
  %e = tensor.extract %x[%rank] : tensor<4xf64>
  %sine, %cosine = math.sincos %e : f64
  %r = scf.index_switch %at -> f64
  case 7 {
    scf.yield %sine : f64
  }
  default {
    %y = scf.execute_region -> f64 {
      scf.yield %cosine : f64
    }
    scf.yield %y : f64
  }
  return %r : f64
}
