"""`tl.from_jax`: what differentiation must know is kept, trees go in and out, and transformations are those of JAX."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pytest

import tapeless as tl
from tapeless.methods import IMPLEMENTED

jax = pytest.importorskip("jax")
jnp = jax.numpy
lax = jax.lax

METHODS = sorted(IMPLEMENTED)
X = np.array([0.3, -1.2, 0.8])


@pytest.fixture(autouse=True)
def _with_64_bits():
    with jax.enable_x64(True):
        yield


def assert_close(found, expected, rtol=1e-10):
    assert jax.tree.structure(found) == jax.tree.structure(expected)
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        assert np.shape(one) == np.shape(other)
        np.testing.assert_allclose(one, np.asarray(other), rtol=rtol, atol=1e-12)


@jax.custom_jvp
def hundredfold(x):
    return x * jnp.sin(x)


@hundredfold.defjvp
def hundredfold_rule(primals, tangents):
    return hundredfold(primals[0]), 100.0 * hundredfold(primals[0]) * tangents[0]


@jax.custom_vjp
def counted(x, n):
    return x**n, x.sum()


counted.defvjp(lambda x, n: (counted(x, n), (x, n)), lambda kept, ct: (7.0 * kept[1] * kept[0] * ct[0] + ct[1], None))


@jax.custom_jvp
def two_ways(x, y):
    return x * y


two_ways.defjvps(lambda t, out, x, y: 3.0 * t * y, lambda t, out, x, y: 5.0 * t * x)


def in_scan(x):
    return lax.scan(lambda c, v: (hundredfold(c) + v, lax.stop_gradient(c) * v), 0.3, x)[1].sum()


def in_while(x):
    return lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, counted(s[1], 2)[0] * 0.5), (0, x))[1].sum()


def in_branches(x):
    return lax.cond(x[0] > 0, lambda v: hundredfold(v).sum(), lambda v: lax.stop_gradient(v).sum(), x)


# Functions of one array, which JAX differentiates in reverse but for those of the second table.
MARKED = {
    "stop_gradient": lambda x: (lax.stop_gradient(x) * x).sum(),
    "custom_jvp": lambda x: hundredfold(x).sum(),
    "custom_jvp of two": lambda x: two_ways(x, jnp.cos(x)).sum(),
    "custom_vjp": lambda x: (counted(x, 2)[0] * counted(x, 3)[1]).sum(),
    "rule in rule": lambda x: jnp.sum(hundredfold(hundredfold(x))),
    "checkpoint": lambda x: jax.checkpoint(lambda v: jnp.sin(hundredfold(v)))(x).sum(),
    "checkpoint with policy": lambda x: jax.checkpoint(jnp.sin, policy=jax.checkpoint_policies.dots_saveable)(x).sum(),
    "jit": lambda x: jax.jit(lambda v: hundredfold(v) + lax.stop_gradient(v) * v)(x).sum(),
    "vmap": lambda x: jax.vmap(lambda v: hundredfold(v) * lax.stop_gradient(v))(x).sum(),
    "scan": in_scan,
    "branches": in_branches,
    "relu at zero": lambda x: jax.nn.relu(x - x[0]).sum(),
    "softmax": lambda x: jax.nn.softmax(x)[1],
    "logsumexp": lambda x: jax.nn.logsumexp(x),
    "gradient inside": lambda x: jax.grad(lambda v: jnp.sum(hundredfold(v)))(x).sum(),
}
FORWARD = {"while": (in_while, lambda x: in_while_by_hand(x))}


def in_while_by_hand(x):
    for _ in range(3):
        x = counted(x, 2)[0] * 0.5
    return x.sum()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", sorted(MARKED))
def test_marks_are_kept_in_reverse(name, method):
    f = tl.from_jax(MARKED[name], X)
    assert_close(tl.value_and_grad(f, method=method)(X), jax.value_and_grad(MARKED[name])(X))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", sorted(set(MARKED) - {"custom_vjp"}))
def test_marks_are_kept_forward(name, method):
    f = tl.from_jax(MARKED[name], X)
    assert_close(tl.jvp(f, (X,), (X,), method=method), jax.jvp(MARKED[name], (X,), (X,)))


@pytest.mark.parametrize("method", METHODS)
def test_marks_are_kept_in_while_loops_that_go_in_reverse_here(method):
    f, same = FORWARD["while"]
    assert_close(tl.value_and_grad(tl.from_jax(f, X), method=method)(X), jax.value_and_grad(same)(X))


def test_forward_mode_through_a_reverse_rule_is_refused_as_by_jax():
    f = tl.from_jax(MARKED["custom_vjp"], X)
    with pytest.raises(tl.NoRuleError):
        tl.jvp(f, (X,), (X,))


def smooth(x, w):
    return jnp.tanh(w @ x) * hundredfold(x) * jax.nn.softplus(lax.stop_gradient(x))


W = np.array([[0.2, -0.4, 0.9], [1.1, 0.3, -0.5], [0.0, 0.7, 0.1]])
TRANSFORMED = {
    "value": lambda lib, f, method: f(X, W),
    "grad": lambda lib, f, method: lib.grad(lambda x, w: f(x, w).sum(), argnums=(0, 1), **method)(X, W),
    "jvp": lambda lib, f, method: lib.jvp(f, (X, W), (W[0], W.T), **method),
    "vjp": lambda lib, f, method: lib.vjp(f, X, W, **method)[1](X),
    "jacfwd": lambda lib, f, method: lib.jacfwd(f, argnums=(0, 1), **method)(X, W),
    "jacrev": lambda lib, f, method: lib.jacrev(f, argnums=(0, 1), **method)(X, W),
    "hessian": lambda lib, f, method: lib.hessian(lambda x: f(x, W).sum(), **method)(X),
    "vmap": lambda lib, f, method: lib.vmap(f, in_axes=(0, None))(W, W),
    "vmap of grad": lambda lib, f, method: lib.vmap(lib.grad(lambda x: f(x, W).sum(), **method))(W),
    "grad of grad": lambda lib, f, method: lib.grad(
        lambda x: lib.grad(lambda v: f(v, W).sum(), **method)(x)[1], **method
    )(X),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", sorted(TRANSFORMED))
def test_transformations_are_those_of_jax(kind, method):
    found = TRANSFORMED[kind](tl, tl.from_jax(smooth, X, W), {"method": method})
    assert_close(found, TRANSFORMED[kind](jax, smooth, {}), rtol=1e-8)


class Pair(NamedTuple):
    """A structure that JAX knows by itself."""

    first: Any
    second: Any


@jax.tree_util.register_dataclass
@dataclass
class Line:
    """A structure that JAX was told of."""

    slope: Any
    start: Any


class Known:
    """A structure that JAX and the language were told of."""

    def __init__(self, items, title):
        self.items, self.title = items, title


jax.tree_util.register_pytree_node(Known, lambda k: (k.items, k.title), lambda title, items: Known(items, title))
tl.register(Known, lambda k: (k.items, k.title), lambda title, items: Known(items, title))

TREES = {
    "number": 1.5,
    "array": X,
    "tuple": (X, 2.0),
    "list": [X, 2.0, X + 1.0],
    "dict": {"z": X, "a": 2.0, "m": X * 2.0},
    "nested": {"z": [X, (2.0, {"k": X})], "a": ({"y": 1.0, "b": X},)},
    "named tuple": Pair(X, {"q": 3.0, "p": X}),
    "dataclass": Line(X, [1.0]),
    "with None": {"w": X, "bias": None, "rest": (None, 2.0)},
    "registered": Known((X, 2.0), "title"),
    "empty": (X, (), {}, []),
}


def sum_of_parts(tree):
    return sum((k + 1.0) * jnp.sum(jnp.sin(leaf)) for k, leaf in enumerate(jax.tree.leaves(tree)))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", sorted(TREES))
def test_gradients_have_the_structure_of_arguments(name, method):
    f = tl.from_jax(sum_of_parts, TREES[name])
    assert_close(tl.value_and_grad(f, method=method)(TREES[name]), jax.value_and_grad(sum_of_parts)(TREES[name]))


@pytest.mark.parametrize("name", sorted(TREES))
def test_results_have_the_structure_of_jax(name):
    def moved(tree, k):
        return jax.tree.map(lambda leaf: k * leaf, tree), {"b": k, "a": (tree,)}

    assert_close(tl.from_jax(moved, TREES[name], 3.0)(TREES[name], 3.0), moved(TREES[name], 3.0))


def test_dicts_are_taken_in_any_order():
    f = tl.from_jax(lambda p: p["a"] - 2.0 * p["b"], {"a": 1.0, "b": 1.0})
    assert f({"b": 3.0, "a": 1.0}) == f({"a": 1.0, "b": 3.0}) == -5.0
    assert tl.grad(f)({"b": 3.0, "a": 1.0}) == {"b": -2.0, "a": 1.0}


DTYPES = {
    "f64": np.float64,
    "f32": np.float32,
    "i64": np.int64,
    "i32": np.int32,
    "bool": np.bool_,
}


@pytest.mark.parametrize("name", sorted(DTYPES))
def test_dtypes_are_those_of_the_jaxpr(name):
    x = np.array([0, 1, 1]).astype(DTYPES[name])
    f = tl.from_jax(lambda v: jnp.where(v > 0, v, v), x)
    assert f(x).dtype == x.dtype
    assert f(x).tolist() == x.tolist()
    g = tl.from_jax(lambda v: v, x[1])
    assert g(x[1]) == x[1]


def test_without_64_bits_numbers_are_of_32():
    with jax.enable_x64(False):
        f = tl.from_jax(lambda x, k: jnp.sin(x) * k, X, 2.0)
    assert f(X.astype(np.float32), 2.0).dtype == np.float32
    with pytest.raises(tl.TypeMismatch, match=r"argument 'x'.*float32"):
        f(X, 2.0)


def test_examples_may_be_shapes():
    f = tl.from_jax(lambda x: x.sum(), jax.ShapeDtypeStruct((3,), np.float64))
    assert f(X) == X.sum()


def test_names_places_and_doc_strings_are_those_of_the_function():
    def model(weights, x):
        """A model."""
        return weights @ x

    for function in (model, jax.jit(model), partial(model)):
        f = tl.from_jax(function, W, X)
        assert f.__name__ == "model" and f.__doc__ == "A model."
        assert f.source.file == __file__
        assert [each.name for each in f.source.parameters] == ["weights", "x"]


def test_it_is_called_in_functions_with_parts_made_there():
    f = tl.from_jax(lambda p, x: p["w"] @ x + p["b"], {"w": W, "b": X}, X)

    @tl.function
    def loss(w, b, x):
        return tl.sum(f({"b": b, "w": w}, x) ** 2)

    assert_close(loss(W, X, X), np.sum((W @ X + X) ** 2))
    tl.check_grads(loss, (W, X, X), order=1)


def solved(rate):
    """A solver of JAX, whose rule solves backwards, and which reads constants from outside of it."""
    ode = importlib.import_module("jax.experimental.ode")
    return ode.odeint(lambda y, t: -rate * y * jnp.cos(t), jnp.array([1.0, 2.0]), jnp.array([0.0, 0.7])).sum()


TABLE = np.array([0.5, 2.0, -1.5])


def looked_up(x):
    scale = jax.custom_vjp(lambda x: jnp.asarray(TABLE) * x)
    scale.defvjp(lambda x: (jnp.asarray(TABLE) * x, x), lambda x, given: (3.0 * jnp.asarray(TABLE) * given,))
    return scale(x).sum()


def test_rules_may_belong_to_functions_that_read_constants():
    f = tl.from_jax(looked_up, X)
    np.testing.assert_allclose(f(X), looked_up(X), rtol=1e-14)
    np.testing.assert_allclose(tl.grad(f)(X), 3.0 * TABLE, rtol=1e-14)


@pytest.mark.thorough
def test_solvers_go_in_reverse_by_their_rules():
    f = tl.from_jax(solved, 0.7)
    np.testing.assert_allclose(f(0.7), solved(0.7), rtol=1e-12)
    np.testing.assert_allclose(tl.grad(f)(0.7), jax.grad(solved)(0.7), rtol=1e-12)


def weighted(rate, x):
    weight = jnp.sin(rate)
    scale = jax.custom_vjp(lambda x: weight * x)
    scale.defvjp(lambda x: (weight * x, None), lambda _, given: (weight * given,))
    return scale(x)


def test_random_numbers_have_the_bits_of_jax():
    def noisy(key, x):
        return (x * jax.random.normal(key, x.shape)).sum() + jax.random.uniform(key)

    key = jax.random.PRNGKey(3)
    f = tl.from_jax(noisy, jax.random.PRNGKey(0), X)
    assert_close(f(np.asarray(key), X), noisy(key, X))
    assert_close(tl.grad(f, argnums=1)(np.asarray(key), X), jax.grad(noisy, argnums=1)(key, X))


def test_constants_are_part_of_the_function():
    table = jnp.asarray(W)
    f = tl.from_jax(lambda x: table @ x, X)
    assert_close(f(X), W @ X)


REFUSED = {
    "rule that misses a number": (
        lambda: tl.from_jax(weighted, 0.7, 0.3),
        tl.ArgumentError,
        r"test_from_jax.py:\d+: the function with jax.custom_vjp reads computed numbers from outside.*as arguments",
    ),
    "callback": (
        lambda: tl.from_jax(lambda x: jax.pure_callback(np.sin, x, x), X),
        tl.ArgumentError,
        r"test_from_jax.py:\d+: the function calls Python while it runs \(pure_callback\)",
    ),
    "printing in a loop": (
        lambda: tl.from_jax(lambda x: lax.fori_loop(0, 3, lambda i, v: jax.debug.print("{}", i) or v, x), X),
        tl.ArgumentError,
        "leave jax.debug.print",
    ),
    "no function": (lambda: tl.from_jax(3, X), tl.ArgumentError, "takes a function of JAX, not 3"),
    "dtype": (
        lambda: tl.from_jax(lambda x: x, X.astype(np.complex128)),
        tl.TypeMismatch,
        "'x' has parts of complex128, .* pass, and return, real and imaginary parts as two arrays",
    ),
    "keys": (lambda: tl.from_jax(lambda key: jax.random.uniform(key), jax.random.key(0)), tl.TypeMismatch, "PRNGKey"),
    "dtype of result": (lambda: tl.from_jax(lambda x: x + 1j, X), tl.TypeMismatch, "'the result' has parts of complex"),
    "complex constant inside": (
        lambda: tl.from_jax(lambda x: jnp.abs(x + 1j), X),
        tl.PipelineError,
        r"'stablehlo.\w+' op has a result of type tensor<(3x)?complex<f64>>; compute with real and imaginary parts",
    ),
    "transform inside": (
        lambda: tl.from_jax(lambda x: jnp.fft.irfft(jnp.fft.rfft(x)), X),
        tl.PipelineError,
        r"test_from_jax.py:\d+:\d+: error: 'stablehlo.fft' op transforms to or from complex numbers",
    ),
    "operation": (
        lambda: tl.from_jax(lambda x: jnp.linalg.eigvalsh(x), W),
        tl.PipelineError,
        r"test_from_jax.py:\d+:\d+: error: 'stablehlo.custom_call' op calls 'lapack_dsyevd_ffi'",
    ),
    "other keys": (
        lambda: tl.from_jax(lambda p: p["a"], {"a": 1.0})({"b": 1.0}),
        tl.TypeMismatch,
        "argument 'p' is a dict with 'b'.*pass a dict with 'a'",
    ),
    "other size in a tree": (
        lambda: tl.from_jax(lambda p: p["a"], {"a": X})({"a": np.ones(4)}),
        tl.ShapeMismatch,
        r"argument 'p\['a'\]' has size 4",
    ),
    "other size in a registered class": (
        lambda: tl.from_jax(lambda p: p.items[0], Known((X,), "t"))(Known((np.ones(4),), "t")),
        tl.ShapeMismatch,
        "sizes 4 and 3",
    ),
    "other kind of structure": (
        lambda: tl.from_jax(lambda p: p[0], (X, X))([X, X]),
        tl.TypeMismatch,
        "argument 'p' is a list of 2.*pass a tuple of 2",
    ),
    "class of jax alone": (
        lambda: tl.from_jax(lambda p: p.items, Unknown(1.0)),
        tl.ArgumentError,
        "'p' is an Unknown.*tl.register",
    ),
}


class Unknown:
    """A structure that only JAX was told of."""

    def __init__(self, items):
        self.items = items


jax.tree_util.register_pytree_node(Unknown, lambda k: ((k.items,), None), lambda _, items: Unknown(items[0]))


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_is_refused_says_what_it_is(name):
    call, kind, message = REFUSED[name]
    with pytest.raises(kind, match=message):
        call()
