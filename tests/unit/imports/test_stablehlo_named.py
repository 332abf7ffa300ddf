"""Operations of StableHLO that are defined by others, and those that a name gives a meaning."""

from __future__ import annotations

import math

import numpy as np
import pytest

import tapeless as tl
from tapeless.errors import ShapeMismatch
from tapeless.passes.imports.stablehlo.composites import FUNCTIONS
from unit.imports.stablehlo_reference import evaluate

BATCH = """func.func @main(%x: tensor<3x4x2xf64>, %s: tensor<4xf64>, %o: tensor<4xf64>, %g: tensor<3x4x2xf64>)
    -> (tensor<3x4x2xf64>, tensor<4xf64>, tensor<4xf64>, tensor<3x4x2xf64>,
        tensor<3x4x2xf64>, tensor<4xf64>, tensor<4xf64>) {
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) {epsilon = 0.01 : f32, feature_index = 1 : i64}
    : (tensor<3x4x2xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<3x4x2xf64>, tensor<4xf64>, tensor<4xf64>)
  %1 = "stablehlo.batch_norm_inference"(%x, %s, %o, %o, %0#2) {epsilon = 0.01 : f32, feature_index = 1 : i64}
    : (tensor<3x4x2xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> tensor<3x4x2xf64>
  %2:3 = "stablehlo.batch_norm_grad"(%x, %s, %0#1, %0#2, %g) {epsilon = 0.01 : f32, feature_index = 1 : i64}
    : (tensor<3x4x2xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<3x4x2xf64>)
    -> (tensor<3x4x2xf64>, tensor<4xf64>, tensor<4xf64>)
  return %0#0, %0#1, %0#2, %1, %2#0, %2#1, %2#2
    : tensor<3x4x2xf64>, tensor<4xf64>, tensor<4xf64>, tensor<3x4x2xf64>,
      tensor<3x4x2xf64>, tensor<4xf64>, tensor<4xf64>
}"""
NORMALISED = """func.func @main(%x: tensor<3x4x2xf64>, %s: tensor<4xf64>, %o: tensor<4xf64>) -> tensor<3x4x2xf64> {
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) {epsilon = 0.01 : f32, feature_index = 1 : i64}
    : (tensor<3x4x2xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<3x4x2xf64>, tensor<4xf64>, tensor<4xf64>)
  return %0#0 : tensor<3x4x2xf64>
}"""
EPSILON = float(np.float32(0.01))


def test_batches_are_normalised_and_their_gradients_are_those_of_differentiation():
    rng = np.random.default_rng(2)
    x, g = rng.standard_normal((2, 3, 4, 2))
    s, o = rng.standard_normal((2, 4))
    found = tl.from_mlir(BATCH)(x, s, o, g)
    mean, variance = x.mean((0, 2)), x.var((0, 2))
    wide = [each[None, :, None] for each in (mean, variance, s, o)]
    deviation = np.sqrt(wide[1] + EPSILON)
    np.testing.assert_allclose(found[0], (x - wide[0]) / deviation * wide[2] + wide[3], rtol=1e-12)
    np.testing.assert_allclose(found[1], mean, rtol=1e-12)
    np.testing.assert_allclose(found[2], variance, rtol=1e-12)
    np.testing.assert_allclose(found[3], (x - wide[3]) / deviation * wide[2] + wide[3], rtol=1e-12)
    adjoints = tl.vjp(tl.from_mlir(NORMALISED), x, s, o)[1](g)
    for value, adjoint in zip(found[4:], adjoints, strict=True):
        np.testing.assert_allclose(value, adjoint, rtol=1e-10, atol=1e-12)


X = np.array([0.25, 0.75])
WANTED = {
    "erf": [math.erf(each) for each in X],
    "erfc": [math.erfc(each) for each in X],
    "erf_inv": [0.22531205501217808, 0.81341984759761852],
    "lgamma": [math.lgamma(each) for each in X],
    "digamma": [-4.2274535333762654, -1.0858608797864722],
    "square": X * X,
    "acosh": [np.nan, np.nan],
    **{name: getattr(np, f"arc{name[1:]}")(X) for name in ("asin", "acos", "atan", "asinh", "atanh")},
    **{name: getattr(np, name)(X) for name in ("sinh", "cosh", "tan")},
}


@pytest.mark.parametrize("form", ["operation", "composite"])
def test_functions_of_chlo_are_known_by_name(form):
    """A composite's decomposition would give 0 here: it is never looked at."""
    names = list(FUNCTIONS)
    if form == "operation":
        lines = [f"%{k} = chlo.{name} %x : tensor<2xf64> -> tensor<2xf64>" for k, name in enumerate(names)]
    else:
        attribute = "{decomposition = @nothing}"
        lines = [
            f'%{k} = stablehlo.composite "chlo.{name}" %x {attribute} : (tensor<2xf64>) -> tensor<2xf64>'
            for k, name in enumerate(names)
        ]
    body = "\n  ".join(lines)
    types = ", ".join(["tensor<2xf64>"] * len(names))
    given = ", ".join(f"%{k}" for k in range(len(names)))
    text = f"""func.func @main(%x: tensor<2xf64>) -> ({types}) {{
  {body}
  return {given} : {types}
}}
func.func private @nothing(%x: tensor<2xf64>) -> tensor<2xf64> {{
  %0 = stablehlo.constant dense<0.0> : tensor<2xf64>
  return %0 : tensor<2xf64>
}}"""
    assert set(names) == set(WANTED)
    for name, value in zip(names, tl.from_mlir(text)(X), strict=True):
        np.testing.assert_allclose(value, WANTED[name], rtol=1e-13, err_msg=name)


def test_largest_elements_come_with_their_places():
    found = tl.from_mlir("""func.func @main(%x: tensor<2x6xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %0:2 = chlo.top_k(%x, k = 3) : tensor<2x6xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>
}""")(np.array([[1, 5, 3, 5, 0, 2], [-1, -2, -3, 0, -5, -4]], np.float32))
    np.testing.assert_array_equal(found[0], [[5, 5, 3], [0, -1, -2]])
    np.testing.assert_array_equal(found[1], [[1, 3, 2], [3, 0, 1]])


def test_assertions_on_sizes_are_checks():
    f = tl.from_mlir("""func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %four = stablehlo.constant dense<4> : tensor<i32>
  %0 = stablehlo.compare EQ, %n, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%0, %n, %four)
    {error_message = "the size is {0} and not {1}", has_side_effect = true}
    : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  return %n : tensor<i32>
}""")
    assert f(np.int32(4)) == 4
    with pytest.raises(ShapeMismatch, match="the size is 5 and not 4"):
        f(np.int32(5))


def test_placements_and_barriers_change_nothing():
    text = """func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> {
  %s = stablehlo.custom_call @Sharding(%x) : (tensor<3xf64>) -> tensor<3xf64>
  %0 = stablehlo.custom_call @annotate_device_placement(%s) : (tensor<3xf64>) -> tensor<3xf64>
  %1 = stablehlo.reduce_precision %0, format = e11m52 : tensor<3xf64>
  return %1 : tensor<3xf64>
}"""
    np.testing.assert_array_equal(tl.from_mlir(text)(np.arange(3.0)), np.arange(3.0))


def test_portable_artifacts_are_read():
    from tapeless._mlir import ir, stablehlo
    from tapeless.dialects.foreign import load_stablehlo

    text = """func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.tanh %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}"""
    context = ir.Context()
    load_stablehlo(context)
    with context:
        module = ir.Module.parse(text)
        artifact = stablehlo().serialize_portable_artifact(module, "1.0.0")
    x = np.array([0.5, -1.0, 2.0])
    np.testing.assert_allclose(tl.from_mlir(artifact)(x), evaluate(text, [x])[0], rtol=1e-14)


F, M = "tensor<4xf32>", "tensor<4x4xf32>"
GROUPS = "replica_groups = dense<[[0]]> : tensor<1x1xi64>"
SUM = "({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n  stablehlo.return %a : tensor<f32>\n})"
REFUSED = {
    "stablehlo.cholesky": f"%0 = stablehlo.cholesky %m, lower = true : {M}",
    "stablehlo.triangular_solve": f"""%0 = "stablehlo.triangular_solve"(%m, %m) <{{left_side = true, lower = true,
      unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}}> : ({M}, {M}) -> {M}""",
    "stablehlo.rng": f"""%0 = stablehlo.rng %s, %s, %n, distribution = NORMAL
      : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> {F}""",
    "stablehlo.rng_bit_generator": """%0, %1 = stablehlo.rng_bit_generator %u, algorithm = THREE_FRY
      : (tensor<4xui32>) -> (tensor<4xui32>, tensor<4xui32>)""",
    "stablehlo.all_reduce": f'%0 = "stablehlo.all_reduce"(%x) {SUM} {{{GROUPS}}} : ({F}) -> {F}',
    "stablehlo.reduce_scatter": f"""%0 = "stablehlo.reduce_scatter"(%x) {SUM}
      {{{GROUPS}, scatter_dimension = 0 : i64}} : ({F}) -> {F}""",
    "stablehlo.all_gather": f'%0 = "stablehlo.all_gather"(%x) {{all_gather_dim = 0 : i64, {GROUPS}}} : ({F}) -> {F}',
    "stablehlo.all_to_all": f"""%0 = "stablehlo.all_to_all"(%x) {{split_dimension = 0 : i64,
      concat_dimension = 0 : i64, split_count = 1 : i64, {GROUPS}}} : ({F}) -> {F}""",
    "stablehlo.collective_broadcast": f'%0 = "stablehlo.collective_broadcast"(%x) {{{GROUPS}}} : ({F}) -> {F}',
    "stablehlo.collective_permute": f"""%0 = "stablehlo.collective_permute"(%x)
      {{source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>}} : ({F}) -> {F}""",
    "stablehlo.replica_id": "%0 = stablehlo.replica_id : tensor<ui32>",
    "stablehlo.partition_id": "%0 = stablehlo.partition_id : tensor<ui32>",
    "stablehlo.create_token": "%0 = stablehlo.create_token : !stablehlo.token",
    "stablehlo.after_all": "%0 = stablehlo.after_all : !stablehlo.token",
    "stablehlo.tuple": f"%0 = stablehlo.tuple %x, %x : tuple<{F}, {F}>",
    "stablehlo.einsum": f'%0 = "stablehlo.einsum"(%m, %m) {{einsum_config = "ab,bc->ac"}} : ({M}, {M}) -> {M}',
    "stablehlo.unary_einsum": f'%0 = "stablehlo.unary_einsum"(%m) {{einsum_config = "ab->ba"}} : ({M}) -> {M}',
    "stablehlo.torch_index_select": f"""%0 = "stablehlo.torch_index_select"(%m, %i)
      {{dim = 0 : i64, batch_dims = 0 : i64}} : ({M}, tensor<4xi32>) -> {M}""",
    "stablehlo.set_dimension_size": f"""%0 = "stablehlo.set_dimension_size"(%x, %k) {{dimension = 0 : i64}}
      : ({F}, tensor<i32>) -> {F}""",
    "chlo.polygamma": f"%0 = chlo.polygamma %x, %x : {F}, {F} -> {F}",
    "chlo.zeta": f"%0 = chlo.zeta %x, %x : {F}, {F} -> {F}",
    "chlo.bessel_i1e": f"%0 = chlo.bessel_i1e %x : {F} -> {F}",
    "chlo.next_after": f"%0 = chlo.next_after %x, %x : {F}, {F} -> {F}",
    "chlo.is_inf": f"%0 = chlo.is_inf %x : {F} -> tensor<4xi1>",
    "chlo.broadcast_add": f"%0 = chlo.broadcast_add %x, %x : ({F}, {F}) -> {F}",
    "shape.shape_of": f"%0 = shape.shape_of %x : {F} -> tensor<1xindex>",
}


@pytest.mark.parametrize("name", REFUSED)
def test_operations_without_a_translation_are_refused_at_their_line(name):
    text = f"""func.func @main(%x: {F}, %m: {M}, %s: tensor<f32>, %n: tensor<1xi64>, %u: tensor<4xui32>,
    %i: tensor<4xi32>, %k: tensor<i32>) -> {F} {{
  %y = stablehlo.exponential %x : {F}
  {REFUSED[name]}
  return %y : {F}
}}"""
    with pytest.raises(tl.PipelineError, match=rf"<mlir>:4:\d+: error: '{name}' op has no translation to core IR"):
        tl.from_mlir(text)


DTYPES = ("i2", "i4", "i8", "i16", "ui8", "ui16", "ui64", "f8E4M3FN", "f8E5M2", "!quant.uniform<i8:f32, 0.1:0>")


@pytest.mark.parametrize("given", ["argument", "result"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_types_of_arguments_and_results_are_refused_with_those_to_convert_to(dtype, given):
    source, target = (dtype, "f32") if given == "argument" else ("f32", dtype)
    convert = "convert"
    if "quant" in dtype:
        convert = "uniform_dequantize" if given == "argument" else "uniform_quantize"
    text = f"""func.func @main(%x: tensor<4x{source}>) -> tensor<4x{target}> {{
  %0 = stablehlo.{convert} %x : (tensor<4x{source}>) -> tensor<4x{target}>
  return %0 : tensor<4x{target}>
}}"""
    message = rf"<mlir>:1:1: error: 'func.func' op has {given} 0 of type tensor<4x{dtype[:4]}.*; convert it to .*ui32"
    with pytest.raises(tl.PipelineError, match=message):
        tl.from_mlir(text)


ALGORITHM = """func.func @main(%a: tensor<2x3xT>, %b: tensor<3x2xT>) -> tensor<2x2xT> {
  %0 = "stablehlo.dot_general"(%a, %b) {
    dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>,
    precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>],
    algorithm = #stablehlo.dot_algorithm<lhs_precision_type = A, rhs_precision_type = A, accumulation_type = B,
      lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
      allow_imprecise_accumulation = false>} : (tensor<2x3xT>, tensor<3x2xT>) -> tensor<2x2xT>
  return %0 : tensor<2x2xT>
}"""


@pytest.mark.parametrize(
    ("dtype", "factors", "sums"), [("f32", "f32", "f32"), ("f32", "tf32", "f32"), ("f64", "f64", "f64")]
)
def test_algorithms_of_products_with_fewer_digits_are_those_of_the_dtype(dtype, factors, sums):
    f = tl.from_mlir(ALGORITHM.replace("xT>", f"x{dtype}>").replace("= A", f"= {factors}").replace("= B", f"= {sums}"))
    kind = {"f32": np.float32, "f64": np.float64}[dtype]
    a, b = np.arange(6, dtype=kind).reshape(2, 3) + kind(0.1), np.arange(6, dtype=kind).reshape(3, 2)
    np.testing.assert_allclose(f(a, b), a @ b, rtol=4 * np.finfo(kind).eps)


def test_algorithms_of_products_with_more_digits_are_refused():
    text = ALGORITHM.replace("xT>", "xf32>").replace("= A", "= f64").replace("= B", "= f64")
    with pytest.raises(
        tl.PipelineError, match=r"'stablehlo.dot_general' op has an algorithm with f64 as .*convert its"
    ):
        tl.from_mlir(text)
