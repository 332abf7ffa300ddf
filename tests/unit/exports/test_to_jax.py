"""`tl.to_jax`: functions of the language under the transformations of JAX, beside the same written in JAX."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pytest

import tapeless as tl

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402

RNG = np.random.default_rng(3)
X, W = RNG.random((3, 4)), RNG.random((4, 2))


@pytest.fixture(autouse=True)
def numbers_of_64_bits() -> Iterator[None]:
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


def check(found: Any, expected: Any, tolerance: float = 1e-10) -> None:
    assert jax.tree.structure(found) == jax.tree.structure(expected)
    for ours, theirs in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        assert ours.dtype == jnp.asarray(theirs).dtype
        np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)


@tl.function
def loss(x, w):
    return tl.sum(tl.tanh(x @ w))


@tl.function
def layer(x, w):
    return tl.tanh(x @ w)


# Functions of two matrices: ours, and the same of JAX.
PAIRS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "a number": (tl.to_jax(loss), lambda x, w: jnp.sum(jnp.tanh(x @ w))),
    "an array": (tl.to_jax(layer), lambda x, w: jnp.tanh(x @ w)),
}


def summed(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *arguments: jnp.sum(f(*arguments) ** 2)


def directions(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, w: jax.jvp(f, (x, w), (2.0 * x, w + 1.0))


def batches(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, w: jax.vmap(f, in_axes=(0, None))(jnp.stack([x, 2.0 * x]), w)


TRANSFORMATIONS: dict[str, Callable[[Callable[..., Any]], Callable[..., Any]]] = {
    "call": lambda f: f,
    "jit": jax.jit,
    "grad": lambda f: jax.grad(summed(f), argnums=(0, 1)),
    "jit of value_and_grad": lambda f: jax.jit(jax.value_and_grad(summed(f), argnums=(0, 1))),
    "jvp": directions,
    "jvp of one argument": lambda f: lambda x, w: jax.jvp(lambda x: f(x, w), (x,), (w[:, 0] + x,)),
    "vmap": batches,
    "vmap along other axes": lambda f: lambda x, w: jax.vmap(f, (2, None))(jnp.stack([x, 2.0 * x], 2), w),
    "vmap of vmap": lambda f: (
        lambda x, w: jax.vmap(jax.vmap(f, (0, None)), (None, 0))(
            jnp.stack([x, 2.0 * x]), jnp.stack([w, w + 1.0, w + 2.0])
        )
    ),
    "grad of vmap": lambda f: jax.grad(summed(batches(f)), argnums=(0, 1)),
    "vmap of grad": lambda f: batches(jax.grad(summed(f), argnums=(0, 1))),
    "grad of grad": lambda f: jax.grad(lambda x, w: jnp.sum(jax.grad(summed(f))(x, w) ** 3), argnums=(0, 1)),
    "hessian": lambda f: jax.jit(jax.hessian(summed(f))),
    "jvp of grad": lambda f: directions(jax.grad(summed(f))),
    "grad of jvp": lambda f: jax.grad(lambda x, w: jnp.sum(directions(f)(x, w)[1] ** 2), argnums=(0, 1)),
    "jacfwd of jacfwd": lambda f: jax.jacfwd(jax.jacfwd(f), argnums=1),
    "jacrev": lambda f: jax.jacrev(f, argnums=1),
    "linearize and transpose": lambda f: (
        lambda x, w: jax.linear_transpose(jax.linearize(lambda x: f(x, w), x)[1], x)(f(x, w))
    ),
    "transpose of vjp": lambda f: lambda x, w: jax.linear_transpose(jax.vjp(lambda x: f(x, w), x)[1], f(x, w))((x,)),
    "checkpoint": lambda f: jax.grad(jax.checkpoint(summed(f)), argnums=(0, 1)),
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("transformation", TRANSFORMATIONS)
def test_transformations(transformation: str, name: str) -> None:
    ours, theirs = (TRANSFORMATIONS[transformation](f) for f in PAIRS[name])
    check(ours(X, W), theirs(jnp.asarray(X), jnp.asarray(W)))


def test_one_kernel_has_value_and_gradient() -> None:
    made = jax.make_jaxpr(jax.value_and_grad(PAIRS["a number"][0], argnums=(0, 1)))(X, W)
    assert str(made).count("tapeless[") == 1
    assert "callback" not in str(made)


def test_loops_of_jax() -> None:
    def simulated(step: Callable[..., Any]) -> Callable[..., Any]:
        def run(x: Any) -> Any:
            return jnp.sum(jax.lax.scan(lambda x, _: (step(x), 2.0 * step(x)), x, None, length=4)[1])

        return jax.jit(jax.value_and_grad(run))

    ours, theirs = tl.to_jax(lambda x: tl.sin(x) * 1.1), lambda x: jnp.sin(x) * 1.1
    check(simulated(ours)(X[0]), simulated(theirs)(jnp.asarray(X[0])))


class Dense(NamedTuple):
    """A structure of arrays."""

    w: Any
    b: Any


@tl.function
def model(params, x, *, scale=2.0, mode="double"):
    y = tl.tanh(x @ params["dense"].w + params["dense"].b) * (scale if mode == "double" else 1.0)
    return {"y": y, "rows": x.shape[0], "high": y > 0.5, "none": None}, [tl.sum(y)]


def model_of_jax(params: Any, x: Any, scale: Any = 2.0) -> Any:
    y = jnp.tanh(x @ params["dense"].w + params["dense"].b) * scale
    return {"y": y, "rows": jnp.asarray(x.shape[0]), "high": y > 0.5, "none": None}, [jnp.sum(y)]


PARAMS = {"dense": Dense(W, W[0])}


def test_structures_go_in_and_come_out() -> None:
    ours = tl.to_jax(model)
    check(jax.jit(ours)(PARAMS, X), model_of_jax(PARAMS, X))
    found, expected = (
        jax.jit(jax.grad(lambda p, x, f=f: jnp.sum(f(p, x)[0]["y"] ** 2) + f(p, x)[1][0], argnums=(0, 1)))
        for f in (ours, model_of_jax)
    )
    check(found(PARAMS, X), expected(PARAMS, jnp.asarray(X)))
    slope, expected_slope = (
        jax.grad(lambda scale, f=f: f(PARAMS, X, scale=scale)[1][0])(1.5) for f in (ours, model_of_jax)
    )
    check(slope, expected_slope)
    check(ours(PARAMS, X, mode="single")[1], model_of_jax(PARAMS, X, 1.0)[1])


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int32", "uint32", "bool"])
def test_types_of_numbers(dtype: str) -> None:
    values = np.array([[1, 0], [1, 1]]).astype(dtype)
    same = tl.to_jax(lambda x, n: (x, n, x[0]))
    found = jax.jit(same)(values, values[0, 0])
    check(found, (jnp.asarray(values), jnp.asarray(values[0, 0]), jnp.asarray(values[0])))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_arrays_of_half_floats(dtype: str) -> None:
    values = jnp.linspace(-2.0, 2.0, 5).astype(dtype)
    ours = tl.to_jax(lambda x: (x[::-1], x * 2.0))
    check(jax.jit(ours)(values), (values[::-1], values.astype(jnp.float32) * 2.0))
    slope = jax.jit(jax.grad(lambda x: jnp.sum(ours(x)[1] ** 2)))(values)
    check(slope.astype(jnp.float32), (8.0 * values.astype(jnp.float32)))


@pytest.mark.parametrize("dtype", ["complex64", "int8", "uint64"])
def test_other_types_are_refused_by_name(dtype: str) -> None:
    with pytest.raises(tl.TypeMismatch, match=f"argument 'x'.*{dtype}"):
        jax.jit(tl.to_jax(lambda x: x))(jnp.zeros(2, dtype))


def test_integers_have_no_derivative() -> None:
    @tl.function
    def picked(x: tl.f64[:], i: tl.i64[:]):
        return x[i], i * 2

    ours = tl.to_jax(picked)
    found = jax.jit(jax.grad(lambda x: jnp.sum(ours(x, jnp.array([1, 1]))[0] ** 2)))(jnp.arange(3.0))
    check(found, jnp.array([0.0, 4.0, 0.0]))


def test_python_numbers_are_weak() -> None:
    scaled = tl.to_jax(lambda x, s: x * s)
    for x64 in (True, False):
        jax.config.update("jax_enable_x64", x64)
        x = jnp.ones(2, jnp.float32)
        for f in (scaled, jax.jit(scaled)):
            check(f(x, 0.1), x * 0.1)
            check(f(x, 3), x * 3)
        check(jax.jit(jax.grad(lambda s, x=x: jnp.sum(scaled(x, s))))(0.5), jnp.asarray(2.0))


def test_numbers_of_64_bits_that_jax_does_not_have_are_refused() -> None:
    jax.config.update("jax_enable_x64", False)
    with pytest.raises(tl.TypeMismatch, match=r"gives tl.i64, which JAX has only after jax.config.update"):
        tl.to_jax(lambda x: x.shape[0])(jnp.ones(3))


def test_a_failed_check_is_an_error_with_the_line() -> None:
    @tl.function
    def picked(x: tl.f64[:], i: tl.i64):
        return x[i]

    with pytest.raises(jax.errors.JaxRuntimeError) as error:
        jax.block_until_ready(jax.jit(tl.to_jax(picked))(jnp.ones(3), 7))
    assert "IndexOutOfRange: " in str(error.value)
    assert "test_to_jax.py:" in str(error.value)
    assert "index 7 is out of range for axis 0 with size 3\n    return x[i]" in str(error.value)


def test_sizes_of_results() -> None:
    repeated = tl.to_jax(lambda x, n: tl.zeros(n) + x)
    check(repeated(2.0, 3), jnp.full(3, 2.0))
    check(jax.jit(repeated, static_argnums=1)(2.0, 2), jnp.full(2, 2.0))
    check(jax.grad(lambda x: jnp.sum(repeated(x, 4)))(1.0), jnp.asarray(4.0))
    halved = tl.to_jax(lambda x: x[::2] * 2.0)
    check(jax.jit(jax.grad(lambda x: jnp.sum(halved(x) ** 2)))(jnp.ones(5)), 8.0 * jnp.array([1.0, 0.0, 1.0, 0.0, 1.0]))
    with pytest.raises(tl.ArgumentError, match=r"the size of a result depends on 'n'.*static_argnums"):
        jax.jit(repeated)(2.0, 3)
    with pytest.raises(tl.ArgumentError, match="the size of a result is found while it is computed"):
        tl.to_jax(lambda x: x[x > 0.5])(jnp.ones(3))


def test_axes_of_size_one_broadcast() -> None:
    added = tl.to_jax(lambda a, b: a + b)
    check(jax.jit(added)(X[:, :1], X[:1]), jnp.asarray(X[:, :1] + X[:1]))
    check(jax.vmap(added)(X[:1], X[:1]), jnp.asarray(2.0 * X[:1]))
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"ShapeMismatch: .*sizes 3 and 4"):
        jax.block_until_ready(added(jnp.ones(3), jnp.ones(4)))


def test_without_jit() -> None:
    with jax.disable_jit():
        check(PAIRS["an array"][0](X, W), jnp.tanh(X @ W))


def test_arrays_without_elements() -> None:
    ours, theirs = PAIRS["a number"]
    none = np.zeros((0, 4))
    check(jax.value_and_grad(ours)(none, W), jax.value_and_grad(theirs)(jnp.asarray(none), W))
    check(jax.vmap(ours, (0, None))(np.zeros((0, 3, 4)), W), jnp.zeros(0))


def test_partials_and_methods() -> None:
    check(tl.to_jax(partial(loss, X))(W), jnp.sum(jnp.tanh(X @ W)))


def test_results_that_share_nothing_with_arguments() -> None:
    x = jnp.arange(3.0)
    y = tl.to_jax(lambda x: x)(x)
    assert y.unsafe_buffer_pointer() != x.unsafe_buffer_pointer()


def test_what_is_no_function_for_jax() -> None:
    with pytest.raises(tl.ArgumentError, match=r"tl.to_jax takes a function, not 3"):
        tl.to_jax(3)
    with pytest.raises(tl.ArgumentError, match="checks='status'"):
        tl.to_jax(tl.jit(loss, checks="status"))
    with pytest.raises(tl.ArgumentError, match="needs a value for 'w'"):
        tl.to_jax(loss)(X)


def test_a_program_that_names_no_kernel_of_the_process_fails() -> None:
    tl.to_jax(tl.sin)(np.ones(1))
    result = jax.ShapeDtypeStruct((3,), np.float64)
    stale = jax.ffi.ffi_call("tapeless_call", result)
    with pytest.raises(jax.errors.JaxRuntimeError, match="NOT_FOUND: this process has no kernel of the digest"):
        jax.block_until_ready(jax.jit(lambda x: stale(x, kernel="0" * 64))(np.arange(3.0)))


def test_importing_tapeless_loads_neither_jax_nor_torch() -> None:
    program = "import sys, tapeless as tl; tl.to_jax(tl.sin)\nprint({'jax', 'torch'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
