"""Small functions of MLIR's own operations, most of which are no core IR: in a function alone, and within others.

Each entry is a text that makes `%y` from `%s: f32`, `%a: tensor<4xf32>`, `%m: tensor<3x4xf32>`, `%d: tensor<?xf32>`,
`%i: index`, `%n: i64`, `%c: i1`, `%p: memref<4xf32>`, `%v: vector<4xf32>`, `%z: complex<f32>`, and its type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

KINDS = {
    "s": "f32",
    "a": "tensor<4xf32>",
    "m": "tensor<3x4xf32>",
    "d": "tensor<?xf32>",
    "i": "index",
    "n": "i64",
    "c": "i1",
    "p": "memref<4xf32>",
    "v": "vector<4xf32>",
    "z": "complex<f32>",
}
GENERIC = '{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}'
SUM = '{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}'
ZERO_ONE = "%zero = arith.constant 0 : index %one = arith.constant 1 : index %four = arith.constant 4 : index"

OPERATIONS: dict[str, tuple[str, str]] = {
    # tensor
    "pad": (
        "%y = tensor.pad %a low[1] high[1] { ^bb0(%k: index): tensor.yield %s : f32 } : tensor<4xf32> to tensor<6xf32>",
        "tensor<6xf32>",
    ),
    "pad by what is computed": (
        "%two = arith.constant 2.0 : f32 %w = arith.mulf %s, %two : f32 %y = tensor.pad %d low[%i] high[1] "
        "{ ^bb0(%k: index): %u = arith.addf %w, %s : f32 tensor.yield %u : f32 } : tensor<?xf32> to tensor<?xf32>",
        "tensor<?xf32>",
    ),
    "generate": (
        "%y = tensor.generate %i { ^bb0(%k: index): %e = arith.index_cast %k : index to i32 "
        "%f = arith.sitofp %e : i32 to f32 tensor.yield %f : f32 } : tensor<?xf32>",
        "tensor<?xf32>",
    ),
    "collapse": ("%y = tensor.collapse_shape %m [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>", "tensor<12xf32>"),
    "expand": (
        "%y = tensor.expand_shape %a [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>",
        "tensor<2x2xf32>",
    ),
    "gather": (
        "%k = arith.constant dense<[[0], [2]]> : tensor<2x1xindex> "
        "%y = tensor.gather %a[%k] gather_dims([0]) : (tensor<4xf32>, tensor<2x1xindex>) -> tensor<2xf32>",
        "tensor<2xf32>",
    ),
    "bitcast": ("%y = tensor.bitcast %a : tensor<4xf32> to tensor<4xi32>", "tensor<4xi32>"),
    "rank 0": ("%y = tensor.from_elements %s : tensor<f32>", "tensor<f32>"),
    "extract of rank 0": ("%r = tensor.from_elements %s : tensor<f32> %y = tensor.extract %r[] : tensor<f32>", "f32"),
    "rank": ("%y = tensor.rank %m : tensor<3x4xf32>", "index"),
    "unranked": ("%y = tensor.cast %a : tensor<4xf32> to tensor<*xf32>", "tensor<*xf32>"),
    "splat of complex": ("%y = tensor.splat %z : tensor<4xcomplex<f32>>", "tensor<4xcomplex<f32>>"),
    "parallel insert": (
        "%y = scf.forall (%k) in (4) shared_outs(%o = %a) -> (tensor<4xf32>) { "
        "%e = tensor.extract_slice %a[%k] [1] [1] : tensor<4xf32> to tensor<1xf32> "
        "scf.forall.in_parallel "
        "{ tensor.parallel_insert_slice %e into %o[%k] [1] [1] : tensor<1xf32> into tensor<4xf32> } }",
        "tensor<4xf32>",
    ),
    # linalg
    "fill": ("%y = linalg.fill ins(%s : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>", "tensor<4xf32>"),
    "generic": (
        f"%y = linalg.generic {GENERIC} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) "
        "{ ^bb0(%e: f32, %o: f32): %f = arith.addf %e, %s : f32 linalg.yield %f : f32 } -> tensor<4xf32>",
        "tensor<4xf32>",
    ),
    "generic sum": (
        f"%r = tensor.from_elements %s : tensor<f32> %t = linalg.generic {SUM} ins(%a : tensor<4xf32>) "
        "outs(%r : tensor<f32>) { ^bb0(%e: f32, %o: f32): %f = arith.addf %e, %o : f32 linalg.yield %f : f32 } "
        "-> tensor<f32> %y = tensor.extract %t[] : tensor<f32>",
        "f32",
    ),
    "index in generic": (
        f"%y = linalg.generic {GENERIC} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) "
        "{ ^bb0(%e: f32, %o: f32): %k = linalg.index 0 : index %g = tensor.extract %a[%k] : tensor<4xf32> "
        "linalg.yield %g : f32 } -> tensor<4xf32>",
        "tensor<4xf32>",
    ),
    "map": (
        "%y = linalg.map { math.exp } ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>)",
        "tensor<4xf32>",
    ),
    "reduce": (
        "%y = linalg.reduce { arith.addf } ins(%m : tensor<3x4xf32>) outs(%a : tensor<4xf32>) dimensions = [0]",
        "tensor<4xf32>",
    ),
    "broadcast": (
        "%y = linalg.broadcast ins(%a : tensor<4xf32>) outs(%m : tensor<3x4xf32>) dimensions = [0]",
        "tensor<3x4xf32>",
    ),
    "transpose": (
        "%e = tensor.empty() : tensor<4x3xf32> "
        "%y = linalg.transpose ins(%m : tensor<3x4xf32>) outs(%e : tensor<4x3xf32>) permutation = [1, 0]",
        "tensor<4x3xf32>",
    ),
    "matvec": (
        "%e = tensor.empty() : tensor<3xf32> "
        "%y = linalg.matvec ins(%m, %a : tensor<3x4xf32>, tensor<4xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>",
        "tensor<3xf32>",
    ),
    "generic on memory": (
        f"linalg.generic {GENERIC} ins(%p : memref<4xf32>) outs(%p : memref<4xf32>) "
        "{ ^bb0(%e: f32, %o: f32): linalg.yield %e : f32 } "
        "%k = arith.constant 1 : index %y = memref.load %p[%k] : memref<4xf32>",
        "f32",
    ),
    # scf
    "execute region": (
        "%y = scf.execute_region -> f32 { %e = arith.addf %s, %s : f32 scf.yield %e : f32 }",
        "f32",
    ),
    "execute region with branches": (
        "%y = scf.execute_region -> f32 { cf.cond_br %c, ^one, ^two ^one: cf.br ^two ^two: scf.yield %s : f32 }",
        "f32",
    ),
    "execute region on an array": (
        "%y = scf.execute_region -> tensor<4xf32> "
        "{ %e = tensor.splat %s : tensor<4xf32> scf.yield %e : tensor<4xf32> }",
        "tensor<4xf32>",
    ),
    "index switch": (
        "%y = scf.index_switch %i -> f32 case 2 { %e = arith.mulf %s, %s : f32 scf.yield %e : f32 } "
        "case 5 { scf.yield %s : f32 } default { %e = arith.addf %s, %s : f32 scf.yield %e : f32 }",
        "f32",
    ),
    "parallel": (
        f"{ZERO_ONE} scf.parallel (%k) = (%zero) to (%four) step (%one) "
        "{ %e = memref.load %p[%k] : memref<4xf32> %f = arith.addf %e, %s : f32 "
        "memref.store %f, %p[%k] : memref<4xf32> "
        "scf.reduce } %y = memref.load %p[%zero] : memref<4xf32>",
        "f32",
    ),
    "parallel sum": (
        f"{ZERO_ONE} %y = scf.parallel (%k) = (%zero) to (%four) step (%one) init (%s) -> f32 "
        "{ %e = tensor.extract %a[%k] : tensor<4xf32> scf.reduce(%e : f32) "
        "{ ^bb0(%l: f32, %r: f32): %f = arith.addf %l, %r : f32 scf.reduce.return %f : f32 } }",
        "f32",
    ),
    "loop on integers": (
        "%zero = arith.constant 0 : i64 %one = arith.constant 1 : i64 "
        "%y = scf.for %k = %zero to %n step %one iter_args(%e = %s) -> f32 : i64 "
        "{ %f = arith.addf %e, %e : f32 scf.yield %f : f32 }",
        "f32",
    ),
    "loop on narrow integers": (
        "%zero = arith.constant 0 : i8 %one = arith.constant 1 : i8 %n8 = arith.trunci %n : i64 to i8 "
        "%y = scf.for %k = %zero to %n8 step %one iter_args(%e = %s) -> f32 : i8 "
        "{ %f = arith.addf %e, %e : f32 scf.yield %f : f32 }",
        "f32",
    ),
    "loop over a vector": (
        f"{ZERO_ONE} %y = scf.for %k = %zero to %four step %one iter_args(%e = %v) -> vector<4xf32> "
        "{ %f = arith.addf %e, %v : vector<4xf32> scf.yield %f : vector<4xf32> }",
        "vector<4xf32>",
    ),
    "loop over a buffer": (
        f"{ZERO_ONE} %y = scf.for %k = %zero to %four step %one iter_args(%e = %p) -> memref<4xf32> "
        "{ scf.yield %e : memref<4xf32> }",
        "memref<4xf32>",
    ),
    "while on a vector": (
        "%y = scf.while (%e = %v) : (vector<4xf32>) -> vector<4xf32> { scf.condition(%c) %e : vector<4xf32> } "
        "do { ^bb0(%e: vector<4xf32>): scf.yield %e : vector<4xf32> }",
        "vector<4xf32>",
    ),
    "if on complex": (
        "%y = scf.if %c -> complex<f32> { scf.yield %z : complex<f32> } else "
        "{ %e = complex.mul %z, %z : complex<f32> scf.yield %e : complex<f32> }",
        "complex<f32>",
    ),
    "if with effects": (
        "%k = arith.constant 0 : index scf.if %c { memref.store %s, %p[%k] : memref<4xf32> } "
        "%y = memref.load %p[%k] : memref<4xf32>",
        "f32",
    ),
    # memref
    "alloc": (
        "%b = memref.alloc() : memref<4xf32> %k = arith.constant 0 : index memref.store %s, %b[%k] : memref<4xf32> "
        "%y = memref.load %b[%k] : memref<4xf32> memref.dealloc %b : memref<4xf32>",
        "f32",
    ),
    "alloca": (
        "%b = memref.alloca(%i) : memref<?xf32> %k = arith.constant 0 : index memref.store %s, %b[%k] : memref<?xf32> "
        "%y = memref.load %b[%k] : memref<?xf32>",
        "f32",
    ),
    "scope": (
        "%y = memref.alloca_scope -> (f32) { %e = arith.addf %s, %s : f32 memref.alloca_scope.return %e : f32 }",
        "f32",
    ),
    "subview": (
        "%y = memref.subview %p[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>",
        "memref<2xf32, strided<[1], offset: 1>>",
    ),
    "atomic": (
        "%k = arith.constant 0 : index %y = memref.generic_atomic_rmw %p[%k] : memref<4xf32> "
        "{ ^bb0(%e: f32): %f = arith.mulf %e, %s : f32 memref.atomic_yield %f : f32 }",
        "f32",
    ),
    "atomic add": (
        "%k = arith.constant 0 : index %y = memref.atomic_rmw addf %s, %p[%k] : (f32, memref<4xf32>) -> f32",
        "f32",
    ),
    "copy": (
        "%b = memref.alloc() : memref<4xf32> memref.copy %p, %b : memref<4xf32> to memref<4xf32> "
        "%k = arith.constant 0 : index %y = memref.load %b[%k] : memref<4xf32>",
        "f32",
    ),
    "to tensor": ("%y = bufferization.to_tensor %p restrict : memref<4xf32> to tensor<4xf32>", "tensor<4xf32>"),
    "to buffer": ("%y = bufferization.to_buffer %a : tensor<4xf32> to memref<4xf32>", "memref<4xf32>"),
    "alloc tensor": (
        "%e = bufferization.alloc_tensor() : tensor<4xf32> %y = tensor.insert %s into %e[%i] : tensor<4xf32>",
        "tensor<4xf32>",
    ),
    "materialize": (
        "%b = bufferization.materialize_in_destination %a in %d : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32> "
        "%k = arith.constant 0 : index %y = tensor.extract %b[%k] : tensor<?xf32>",
        "f32",
    ),
    # vector
    "vector sum": ("%y = vector.reduction <add>, %v : vector<4xf32> into f32", "f32"),
    "vector add": ("%y = arith.addf %v, %v : vector<4xf32>", "vector<4xf32>"),
    "vector of an array": (
        "%k = arith.constant 0 : index %y = vector.transfer_read %a[%k], %s : tensor<4xf32>, vector<4xf32>",
        "vector<4xf32>",
    ),
    "vector into an array": (
        "%k = arith.constant 0 : index %y = vector.transfer_write %v, %a[%k] : vector<4xf32>, tensor<4xf32>",
        "tensor<4xf32>",
    ),
    "vector load": (
        "%k = arith.constant 0 : index %y = vector.load %p[%k] : memref<4xf32>, vector<4xf32>",
        "vector<4xf32>",
    ),
    "vector broadcast": ("%y = vector.broadcast %s : f32 to vector<4xf32>", "vector<4xf32>"),
    "vector element": (
        "%e = vector.insert %s, %v [1] : f32 into vector<4xf32> %y = vector.extract %e[2] : f32 from vector<4xf32>",
        "f32",
    ),
    "vector comparison": (
        "%e = arith.cmpf olt, %v, %v : vector<4xf32> %y = arith.select %e, %v, %v : vector<4xi1>, vector<4xf32>",
        "vector<4xf32>",
    ),
    "vector mask": (
        "%e = vector.create_mask %i : vector<4xi1> "
        "%y = vector.mask %e { vector.reduction <add>, %v : vector<4xf32> into f32 } "
        ": vector<4xi1> -> f32",
        "f32",
    ),
    "scalable vector": ("%y = vector.broadcast %s : f32 to vector<[4]xf32>", "vector<[4]xf32>"),
    "vector function": ("%y = math.exp %v : vector<4xf32>", "vector<4xf32>"),
    "vector of an array as elements": ("%y = tensor.splat %s : tensor<4xf32>", "tensor<4xf32>"),
    # arith, math, index, complex
    "array sum": ("%y = arith.addf %a, %a : tensor<4xf32>", "tensor<4xf32>"),
    "array of open size": ("%y = arith.mulf %d, %d : tensor<?xf32>", "tensor<?xf32>"),
    "array function": ("%y = math.sin %a : tensor<4xf32>", "tensor<4xf32>"),
    "array comparison": (
        "%e = arith.cmpf ogt, %a, %a : tensor<4xf32> %y = arith.select %e, %a, %a : tensor<4xi1>, tensor<4xf32>",
        "tensor<4xf32>",
    ),
    "array choice": ("%y = arith.select %c, %a, %a : tensor<4xf32>", "tensor<4xf32>"),
    "half": (
        "%h = arith.truncf %s : f32 to f16 %g = arith.addf %h, %h : f16 %y = arith.extf %g : f16 to f32",
        "f32",
    ),
    "brain float": ("%h = arith.truncf %s : f32 to bf16 %y = arith.mulf %h, %h : bf16", "bf16"),
    "quarter": ("%y = arith.truncf %s : f32 to f8E4M3FN", "f8E4M3FN"),
    "wide float": ("%y = arith.extf %s : f32 to f128", "f128"),
    "narrow integer": ("%e = arith.trunci %n : i64 to i8 %y = arith.muli %e, %e : i8", "i8"),
    "odd integer": ("%e = arith.trunci %n : i64 to i7 %y = arith.addi %e, %e : i7", "i7"),
    "wide integer": ("%e = arith.extsi %n : i64 to i128 %y = arith.muli %e, %e : i128", "i128"),
    "extended product": ("%e, %y = arith.mulsi_extended %n, %n : i64", "i64"),
    "carry": ("%y, %e = arith.addui_extended %n, %n : i64, i1", "i64"),
    "bits": ("%y = arith.bitcast %s : f32 to i32", "i32"),
    "array of small integers": ("%y = arith.fptosi %a : tensor<4xf32> to tensor<4xi8>", "tensor<4xi8>"),
    "array of half": ("%y = arith.truncf %a : tensor<4xf32> to tensor<4xf16>", "tensor<4xf16>"),
    "array of index": (
        "%e = arith.fptosi %a : tensor<4xf32> to tensor<4xi64> "
        "%y = arith.index_cast %e : tensor<4xi64> to tensor<4xindex>",
        "tensor<4xindex>",
    ),
    "index dialect": ("%e = index.add %i, %i %y = index.ceildivs %e, %i", "index"),
    "count of zeros": ("%y = math.ctlz %n : i64", "i64"),
    "integer power": ("%y = math.ipowi %n, %n : i64", "i64"),
    "power by an integer": ("%e = arith.trunci %n : i64 to i32 %y = math.fpowi %s, %e : f32, i32", "f32"),
    "fma": ("%y = math.fma %s, %s, %s : f32", "f32"),
    "is nan": ("%y = math.isnan %s : f32", "i1"),
    "round": ("%y = math.roundeven %s : f32", "f32"),
    "sincos": ("%y, %e = math.sincos %s : f32", "f32"),
    "complex product": ("%y = complex.mul %z, %z : complex<f32>", "complex<f32>"),
    "complex modulus": ("%y = complex.abs %z : complex<f32>", "f32"),
    "complex from parts": ("%e = complex.create %s, %s : complex<f32> %y = complex.re %e : complex<f32>", "f32"),
    "complex exp": ("%y = complex.exp %z : complex<f32>", "complex<f32>"),
    "poison": ("%y = ub.poison : f32", "f32"),
    "array of poison": ("%y = ub.poison : tensor<4xf32>", "tensor<4xf32>"),
    "constant of complex": ("%y = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>", "complex<f32>"),
    "constant of half": ("%y = arith.constant dense<1.5> : tensor<4xf16>", "tensor<4xf16>"),
    "constant of rank 0": ("%y = arith.constant dense<1.5> : tensor<f32>", "tensor<f32>"),
    "empty constant": ("%y = arith.constant dense<> : tensor<0xf32>", "tensor<0xf32>"),
    "resource": ("%y = arith.constant dense_resource<numbers> : tensor<4xf32>", "tensor<4xf32>"),
    "sparse constant": ("%y = arith.constant sparse<[[1]], [2.0]> : tensor<4xf32>", "tensor<4xf32>"),
    "encoded array": ('%y = tensor.empty() : tensor<4xf32, "somewhere">', 'tensor<4xf32, "somewhere">'),
    # affine
    "affine loop": (
        "%y = affine.for %k = 0 to 4 iter_args(%e = %s) -> f32 "
        "{ %f = tensor.extract %a[%k] : tensor<4xf32> %g = arith.addf %e, %f : f32 affine.yield %g : f32 }",
        "f32",
    ),
    "affine apply": ("%y = affine.apply affine_map<(k) -> (k * 2 + 1)>(%i)", "index"),
    "affine minimum": ("%y = affine.min affine_map<(k) -> (k, 4)>(%i)", "index"),
    "affine if": (
        "%y = affine.if affine_set<(k) : (k >= 0)>(%i) -> f32 { affine.yield %s : f32 } "
        "else { %e = arith.negf %s : f32 affine.yield %e : f32 }",
        "f32",
    ),
    "affine parallel": (
        "affine.parallel (%k) = (0) to (4) { %e = affine.load %p[%k] : memref<4xf32> "
        "affine.store %e, %p[%k] : memref<4xf32> } %y = affine.load %p[2] : memref<4xf32>",
        "f32",
    ),
    # func, shape, gpu and others
    "external call": ("%y = func.call @elsewhere(%s) : (f32) -> f32", "f32"),
    "external call on arrays": (
        "%y = func.call @elsewhere_on_arrays(%a) : (tensor<4xf32>) -> tensor<4xf32>",
        "tensor<4xf32>",
    ),
    "call without results": ("func.call @nothing(%p) : (memref<4xf32>) -> () %y = arith.addf %s, %s : f32", "f32"),
    "call of many blocks": ("%y = func.call @branches(%c, %s) : (i1, f32) -> f32", "f32"),
    "indirect call": (
        "%f = func.constant @branches : (i1, f32) -> f32 %y = func.call_indirect %f(%c, %s) : (i1, f32) -> f32",
        "f32",
    ),
    "function value": ("%y = func.constant @branches : (i1, f32) -> f32", "(i1, f32) -> f32"),
    "assertion": ('cf.assert %c, "no" %y = arith.addf %s, %s : f32', "f32"),
    "shape": ("%y = shape.shape_of %d : tensor<?xf32> -> tensor<1xindex>", "tensor<1xindex>"),
    "assuming": (
        '%w = shape.cstr_require %c, "no" '
        "%y = shape.assuming %w -> f32 { %e = arith.addf %s, %s : f32 shape.assuming_yield %e : f32 }",
        "f32",
    ),
    "tosa": ("%y = tosa.tanh %a : (tensor<4xf32>) -> tensor<4xf32>", "tensor<4xf32>"),
    "cast": ("%y = builtin.unrealized_conversion_cast %s : f32 to i32", "i32"),
    "launch": (
        f"{ZERO_ONE} gpu.launch blocks(%bx, %by, %bz) in (%nx = %one, %ny = %one, %nz = %one) "
        "threads(%tx, %ty, %tz) in (%mx = %four, %my = %one, %mz = %one) "
        "{ memref.store %s, %p[%tx] : memref<4xf32> gpu.terminator } %y = memref.load %p[%zero] : memref<4xf32>",
        "f32",
    ),
    "llvm": ("%y = llvm.fadd %s, %s : f32", "f32"),
    "async": (
        "%t, %w = async.execute -> !async.value<f32> { async.yield %s : f32 } %y = async.await %w : !async.value<f32>",
        "f32",
    ),
    "accumulated": (
        '%y = "soac.with_acc"(%a) ({ ^bb0(%acc: !soac.acc<tensor<4xf32>>): '
        '%e = "soac.update"(%acc, %i, %s) {operandSegmentSizes = array<i32: 1, 1, 1>} '
        ": (!soac.acc<tensor<4xf32>>, index, f32) -> !soac.acc<tensor<4xf32>> "
        '"soac.yield"(%e) : (!soac.acc<tensor<4xf32>>) -> () }) : (tensor<4xf32>) -> tensor<4xf32>',
        "tensor<4xf32>",
    ),
}

CALLED = """
func.func private @elsewhere(f32) -> f32
func.func private @elsewhere_on_arrays(tensor<4xf32>) -> tensor<4xf32>
func.func private @nothing(memref<4xf32>)
func.func private @branches(%c: i1, %s: f32) -> f32 {
  cf.cond_br %c, ^one(%s : f32), ^two
^one(%e: f32):
  return %e : f32
^two:
  %f = arith.negf %s : f32
  cf.br ^one(%f : f32)
}
"""

# How an operation is used: `{body}` makes `%y` of the type `{kind}`.
PLACES: dict[str, tuple[str, str]] = {
    "returned": ("{body} return %y : {kind}", "{kind}"),
    "not read": ("{body} return %s : f32", "f32"),
    "in a branch": (
        "%x = scf.if %c -> {kind} {{ {body} scf.yield %y : {kind} }} else {{ {body} scf.yield %y : {kind} }} "
        "return %x : {kind}",
        "{kind}",
    ),
    "in a loop": (
        "%l = arith.constant 0 : index %h = arith.constant 3 : index %t = arith.constant 1 : index "
        "scf.for %q = %l to %h step %t {{ {body} }} return %s : f32",
        "f32",
    ),
    "in a map": (
        "%h = arith.constant 3 : index "
        '%x = "soac.map"(%h) ({{ ^bb0(%q: index): {body} "soac.yield"(%y) : ({kind}) -> () }}) '
        "{{operandSegmentSizes = array<i32: 1, 0, 0>}} : (index) -> tensor<3x{row}> return %x : tensor<3x{row}>",
        "tensor<3x{row}>",
    ),
    "in a region of its own": (
        "%x = scf.execute_region -> {kind} {{ {body} scf.yield %y : {kind} }} return %x : {kind}",
        "{kind}",
    ),
}


def text_of(name: str, place: str) -> str:
    """A module with one public function that uses an operation at a place."""
    made, kind = OPERATIONS[name]
    frame, result = PLACES[place]
    row = kind.removeprefix("tensor<").removesuffix(">") if kind.startswith("tensor<") else kind
    body = frame.format(body=made, kind=kind, row=row)
    used = [letter for letter in KINDS if re.search(rf"%{letter}\b", body)]
    arguments = ", ".join(f"%{letter}: {KINDS[letter]}" for letter in used)
    results = result.format(kind=kind, row=row)
    results = f"({results})" if results.startswith("(") else results
    return f"func.func @main({arguments}) -> {results} {{\n  {body}\n}}\n{CALLED}"


def programs() -> Iterator[tuple[str, str]]:
    """Every operation at every place, with a name for each."""
    for name in OPERATIONS:
        for place in PLACES:
            yield f"{name}, {place}", text_of(name, place)
