"""`tl.from_mlir` on core IR: a function of a module is called, transformed, compiled and saved as any other."""

from __future__ import annotations

import pickle
from functools import cache

import numpy as np
import pytest

import tapeless as tl
from tapeless.methods import IMPLEMENTED
from unit.imports.core_modules import CASES, CUSTOM_RULES, SCALED_SQUARES, SEVERAL_RESULTS, VECTOR

NAMES = sorted(CASES)


@cache
def imported(name):
    return tl.from_mlir(CASES[name].text)


@cache
def written(name):
    """The same function in the language: the reference for derivatives."""
    return tl.function(CASES[name].expected)


def total(f):
    return lambda x, y: tl.sum(tl.sin(f(x, y)))


TRANSFORMED = {
    "grad": lambda f, a, method: tl.grad(total(f), argnums=(0, 1), method=method)(*a),
    "value_and_grad": lambda f, a, method: tl.value_and_grad(total(f), method=method)(*a),
    "jvp": lambda f, a, method: tl.jvp(f, a, tuple(np.ones_like(each)[()] for each in a), method=method),
    "vjp": lambda f, a, method: tl.vjp(f, *a, method=method)[1](np.ones_like(f(*a))[()]),
    "jacfwd": lambda f, a, method: tl.jacfwd(f, argnums=(0, 1), method=method)(*a),
    "jacrev": lambda f, a, method: tl.jacrev(f, argnums=(0, 1), method=method)(*a),
    "hessian": lambda f, a, method: tl.hessian(total(f), argnums=(0, 1), method=method)(*a),
    "hvp": lambda f, a, method: tl.hvp(lambda x: total(f)(x, a[1]), a[:1], (np.ones_like(a[0])[()],), method=method),
}


def assert_close(found, wanted):
    if isinstance(wanted, tuple):
        for one, other in zip(found, wanted, strict=True):
            assert_close(one, other)
        return
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
    assert np.shape(found) == np.shape(wanted)


@pytest.mark.parametrize("name", NAMES)
def test_values(name):
    case = CASES[name]
    assert_close(imported(name)(*case.arguments), case.expected(*case.arguments))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("method", sorted(IMPLEMENTED))
@pytest.mark.parametrize("kind", sorted(TRANSFORMED))
@pytest.mark.parametrize("name", NAMES)
def test_transformations_give_what_those_of_written_functions_do(name, kind, method):
    found = TRANSFORMED[kind](imported(name), CASES[name].arguments, method)
    assert_close(found, TRANSFORMED[kind](written(name), CASES[name].arguments, method))


@pytest.mark.parametrize("name", NAMES)
def test_batches(name):
    x, y = CASES[name].arguments
    batch = np.stack([x, x + 0.25])
    found = tl.vmap(imported(name), in_axes=(0, None))(batch, y)
    assert_close(found, np.stack([CASES[name].expected(each, y) for each in batch]))


def test_parameters_have_the_names_and_types_of_the_module():
    f = imported("map")
    assert repr(f) == "<tl.function main>"
    assert_close(f(k=2.0, x=VECTOR), 2.0 * VECTOR**2)
    assert repr(tl.compile(f)) == "<kernel main(tl.f64[3], tl.f64) for cpu>"


def test_several_results_are_a_tuple_of_numbers():
    assert tl.from_mlir(SEVERAL_RESULTS)(2.0, 3, True) == (2.0, 3, True)


def test_it_is_called_inside_of_functions_twice_in_one_module():
    f, g = imported("map"), imported("for")

    @tl.function
    def both(x, k):
        return g(f(x, k), 0.1) + tl.sum(f(f(x, k), 2.0))

    expected = CASES["for"].expected(0.5 * VECTOR**2, 0.1) + np.sum(2.0 * (0.5 * VECTOR**2) ** 2)
    assert_close(both(VECTOR, 0.5), expected)
    tl.check_grads(both, (VECTOR, 0.5), order=1)


def test_rules_of_the_module_are_those_of_derivatives():
    f = tl.from_mlir(CUSTOM_RULES)
    for method in IMPLEMENTED:
        assert f(3.0) == 9.0
        assert tl.grad(f, method=method)(3.0) == 300.0


def test_bytecode_files_and_text_are_the_same_function(tmp_path):
    from tapeless._mlir import ir
    from tapeless.dialects.core_context import make_core_context

    (tmp_path / "squares.mlir").write_text(SCALED_SQUARES)
    with make_core_context() as context, open(tmp_path / "squares.mlirbc", "wb") as file:
        ir.Module.parse(SCALED_SQUARES, context).operation.write_bytecode(file)
    read = [tl.from_mlir(tmp_path / name) for name in ("squares.mlir", "squares.mlirbc")]
    for f in (*read, tl.from_mlir((tmp_path / "squares.mlirbc").read_bytes()), tl.from_mlir(SCALED_SQUARES.encode())):
        assert_close(f(VECTOR, 2.0), 2.0 * VECTOR**2)
    assert read[0].source.file == str(tmp_path / "squares.mlir")


def test_kernels_are_saved_and_loaded(tmp_path):
    f = imported("map")
    kernel = tl.compile(tl.value_and_grad(total(f)), (VECTOR, 0.5))
    kernel.save(tmp_path / "squares.tl")
    assert_close(tl.load(tmp_path / "squares.tl")(VECTOR, 0.5), kernel(VECTOR, 0.5))


def test_kernels_are_compiled_for_gpus():
    kernel = tl.compile(imported("map"), target="cuda:sm_90")
    assert repr(kernel) == "<kernel main(tl.f64[3], tl.f64) for cuda:sm_90>"


def test_it_is_pickled_with_its_module():
    f = pickle.loads(pickle.dumps(imported("map")))
    assert_close(f(VECTOR, 2.0), 2.0 * VECTOR**2)
    derivative = pickle.loads(pickle.dumps(tl.grad(tl.from_mlir(CUSTOM_RULES))))
    assert derivative(1.0) == 100.0


def test_it_runs_compiled_where_functions_run_by_python():
    f = imported("map")
    with tl.disable_jit():
        assert_close(f(VECTOR, 2.0), 2.0 * VECTOR**2)
        assert_close(tl.function(lambda x: tl.sum(f(x, 2.0)))(VECTOR), np.sum(2.0 * VECTOR**2))
        assert_close(tl.grad(lambda x: tl.sum(f(x, 2.0)))(VECTOR), 4.0 * VECTOR)


REFUSED_CALLS = {
    "size": (lambda f: f(np.ones(4), 1.0), tl.ShapeMismatch, "argument 'x' has size 4"),
    "rank": (lambda f: f(np.ones((3, 3)), 1.0), tl.TypeMismatch, "argument 'x'"),
    "dtype": (lambda f: f(np.ones(3, np.float32), 1.0), tl.TypeMismatch, "argument 'x'.*float64"),
    "number for array": (lambda f: f(1.0, 1.0), tl.TypeMismatch, "argument 'x'"),
    "array for number": (lambda f: f(VECTOR, VECTOR), tl.TypeMismatch, "argument 'k'"),
    "missing": (lambda f: f(VECTOR), tl.ArgumentError, "needs a value for 'k'"),
    "inside, size": (lambda f: tl.jit(lambda x: f(x, 1.0))(np.ones(4)), tl.ShapeMismatch, "sizes 4 and 3"),
    "inside, dtype": (
        lambda f: tl.jit(lambda x: f(x, 1.0))(np.ones(3, np.float32)),
        tl.TypeMismatch,
        "'x' is tl.f64",
    ),
    "argnums": (lambda f: tl.grad(f, argnums="y"), tl.ArgumentError, "no parameter of main"),
}


@pytest.mark.parametrize("name", sorted(REFUSED_CALLS))
def test_calls_are_refused_by_argument(name):
    call, kind, message = REFUSED_CALLS[name]
    with pytest.raises(kind, match=message):
        call(imported("map"))


REFUSED_MODULES = {
    "unknown name": ("mein", SCALED_SQUARES, tl.ArgumentError, "functions 'square', 'main'.*did you mean 'main'"),
    "no function": ("main", "module {}", tl.ArgumentError, "no functions"),
    "declared": ("main", "func.func private @main(f64) -> f64", tl.ArgumentError, "only declared"),
    "no module": ("main", "func.func @main( {", tl.PipelineError, "<mlir>:1:17: error"),
    "wrong types": (
        "main",
        "func.func @main(%x: f64) -> f64 {\n  %y = arith.addf %x, %z : f64\n  return %y : f64\n}",
        tl.PipelineError,
        "<mlir>:2:23: error: use of undeclared",
    ),
    "other dialect": (
        "main",
        'func.func @main() -> f64 {\n  %x = "llvm.mlir.poison"() : () -> f64\n  return %x : f64\n}',
        tl.PipelineError,
        "<mlir>:2:8: the operation 'llvm.mlir.poison'",
    ),
    "unknown dialect": (
        "main",
        'func.func @main() -> f64 {\n  %x = "toy.constant"() : () -> f64\n  return %x : f64\n}',
        tl.PipelineError,
        "toy",
    ),
    "dialect of another tool": (
        "main",
        "func.func @main(%x: tensor<4xf64>) -> tensor<4xf64> {\n  %y = tm_tensor.sort %x : tensor<4xf64>\n"
        "  return %y : tensor<4xf64>\n}",
        tl.PipelineError,
        "<mlir>:2:8: error: the dialect 'tm_tensor' has no translation to core IR; give a module of .*linalg",
    ),
    "no results": ("main", "func.func @main(%x: f64) {\n  return\n}", tl.TypeMismatch, "gives no results"),
    "16 bits": ("main", "func.func @main(%x: i16) -> i16 {\n  return %x : i16\n}", tl.TypeMismatch, "'arg0'.*i16"),
    "complex": (
        "main",
        'func.func @main(%z: complex<f64> loc("z")) -> complex<f64> {\n  return %z : complex<f64>\n}',
        tl.TypeMismatch,
        "argument 'z' of the function is complex",
    ),
    "size as result": (
        "main",
        "func.func @main() -> index {\n  %x = arith.constant 1 : index\n  return %x : index\n}",
        tl.TypeMismatch,
        "result 0 of the function is index",
    ),
    "wrong hint": (
        "main",
        CASES["for"].text.replace("scf.yield %b : f64\n  }", "scf.yield %b : f64\n  } {ad.unrol}"),
        tl.PipelineError,
        "unknown attribute ad.unrol",
    ),
    "binary": ("main", b"\xff\xfe\x00", tl.ArgumentError, "neither text nor bytecode"),
    "a number": ("main", 3, tl.ArgumentError, "takes text, bytes or a path, not a int"),
}


@pytest.mark.parametrize("name", sorted(REFUSED_MODULES))
def test_modules_are_refused_at_their_places(name):
    function, text, kind, message = REFUSED_MODULES[name]
    with pytest.raises(kind, match=message):
        tl.from_mlir(text, name=function)
