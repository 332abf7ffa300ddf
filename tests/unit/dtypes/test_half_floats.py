"""Arrays of `tl.f16` and `tl.bf16`: kept in 16 bits, computed with in 32, against numpy and ml_dtypes."""

from __future__ import annotations

import math

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless.half_floats import rounded_half
from tapeless.runtime.bundle.choose import read_bundle

METHODS = ("redundant", "reversible", "coarsened")
NAMES = ("f16", "bf16")
X = np.array([0.1, -2.5, 3.0, 0.75], np.float16)


def numpy_type(name: str) -> np.dtype:
    if name == "bf16":
        pytest.importorskip("ml_dtypes")
    return getattr(tl, name).numpy


def all_numbers(name: str) -> np.ndarray:
    return np.arange(2**16, dtype=np.uint16).view(numpy_type(name))


def same_bits(found: np.ndarray, expected: np.ndarray) -> None:
    """Not a number is not one, whatever its bits."""
    assert found.dtype == expected.dtype
    with np.errstate(invalid="ignore"):
        is_nan = np.isnan(expected.astype(np.float32))
        np.testing.assert_array_equal(np.isnan(found.astype(np.float32)), is_nan)
    words = np.dtype(f"u{found.dtype.itemsize}")
    np.testing.assert_array_equal(found.view(words)[~is_nan], expected.view(words)[~is_nan])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_all_numbers_in_and_out(name, target):
    every = all_numbers(name)
    both = tl.function(lambda x: (x, tl.astype(x, tl.f32)))
    if target == "cpu":
        same, wide = both(every)
    else:
        with emulated_cuda():
            same, wide = tl.compile(both, (getattr(tl, name)[:],), target="cuda")(every)
    same_bits(same, every)
    with np.errstate(invalid="ignore"):
        same_bits(wide, every.astype(np.float32))


def numbers_between(name: str) -> np.ndarray:
    """Numbers of the format, those halfway between them, and their neighbours as `f32`."""
    with np.errstate(all="ignore"):
        own = np.sort(all_numbers(name).astype(np.float32))
        own = own[np.isfinite(own)][::37]
        halfway = ((own[1:].astype(np.float64) + own[:-1]) / 2).astype(np.float32)
    steps = [np.nextafter(halfway, np.float32(sign * np.inf)) for sign in (1, -1)]
    largest = {"f16": [65519.996, 65520.0, 65535.0, 1e9], "bf16": [3.3895e38, 3.3961e38, 3.4028e38]}[name]
    rest = [*largest, np.inf, np.nan, 0.0, 1e-45, 2.9e-8, 3.0e-8, 1e-41]
    edges = np.array([*rest, *(-each for each in rest)], np.float32)
    return np.concatenate((own, halfway, *steps, edges))


@pytest.mark.parametrize("name", NAMES)
def test_rounding(name):
    dtype, numbers = numpy_type(name), numbers_between(name)
    with np.errstate(all="ignore"):
        expected = numbers.astype(dtype)
    for found in RESULTS[name](numbers, numbers.astype(np.float64)):
        same_bits(found, expected)
    by_python = np.array([rounded_half(float(each), name) for each in numbers[::5]], np.float32)
    same_bits(by_python.astype(dtype), expected[::5])


RESULTS = {
    "f16": tl.function(lambda x, y: (tl.astype(x, tl.f16), tl.astype(y, tl.f16))),
    "bf16": tl.function(lambda x, y: (tl.astype(x, tl.bf16), tl.astype(y, tl.bf16))),
}


def test_doubles_are_rounded_once():
    """As an f32 the number would be halfway between two, and rounded down then."""
    number = np.array([1.0 + 2.0**-11 + 2.0**-40])
    assert tl.astype(number, tl.f16)[0] == number.astype(np.float16)[0] > 1.0


# What is computed is `f32`, what is moved or chosen stays as it is.
KINDS = {
    "f32": lambda x: (x + x, x * 2.0, -x, tl.exp(x), tl.cumsum(x), x @ x[:, None], tl.map(lambda v: v * v, x)),
    "f16": lambda x: (x, x[1:], x[::-1], tl.sort(x), tl.reshape(x, (2, 2)), tl.map(lambda v: v, x), x.copy()),
    "f64": lambda x: (x * np.ones(4), tl.astype(x, tl.f64)),
}


@pytest.mark.parametrize("name", KINDS)
def test_types_of_results(name):
    expected = getattr(tl, name).numpy
    assert {each.dtype for each in tl.function(KINDS[name])(X)} == {expected}


@pytest.mark.parametrize("name", NAMES)
def test_results_in_memory_of_the_runtime(name):
    """Long ones, and those whose sizes the kernel finds."""
    x = np.ones(1 << 18, numpy_type(name))
    x[1] = 2
    for found, expected in zip(in_memory_of_the_runtime(x), (x[::-1], x[::2], x[1:2]), strict=True):
        assert found.dtype == x.dtype
        np.testing.assert_array_equal(found.astype(float), expected.astype(float))


@tl.function
def in_memory_of_the_runtime(x):
    return x[::-1], x[::2], x[x > 1.0]


def test_values():
    wide = X.astype(np.float32)
    found = tl.function(lambda x: (tl.sum(x), tl.max(x), tl.mean(x), tl.argmin(x), x > 0, x.astype(tl.i32), x * x))(X)
    expected = (wide.sum(), wide.max(), wide.mean(), 1, wide > 0, wide.astype(np.int32), wide * wide)
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6)


def test_writes_and_constants():
    captured = X

    @tl.function
    def f(x: tl.f16[:], n):
        x[1] = 0.1
        for i in range(n):
            x[i] = x[i] * 1.001
        return x, captured * x, tl.full(3, 0.1, tl.f16), tl.zeros(2, tl.f16)

    expected = X.astype(np.float32)
    expected[1] = np.float16(0.1)
    expected[:3] = (expected[:3] * np.float32(1.001)).astype(np.float16)
    x, product, full, zeros = f(X, 3)
    same_bits(x, expected.astype(np.float16))
    np.testing.assert_allclose(product, X.astype(np.float32) * expected, rtol=1e-6)
    same_bits(full, np.full(3, 0.1, np.float16))
    same_bits(zeros, np.zeros(2, np.float16))


@tl.function
def loss(x, w):
    """Intermediate numbers are rounded, and the slope of that is 1; what is added up many times is added up in f32."""
    hidden = tl.astype(tl.tanh(w @ x), tl.f16)
    total = 0.0
    for i in range(len(x)):
        total += tl.sum(hidden * x[i])
    return total


@pytest.mark.parametrize("method", METHODS)
def test_derivatives(method):
    w = np.linspace(-1.0, 1.0, 12, dtype=np.float32).reshape(3, 4).astype(np.float16)
    of_x, of_w = tl.grad(loss, argnums=(0, 1), method=method)(X, w)
    assert of_x.dtype == of_w.dtype == np.float16
    x32, w32 = X.astype(np.float64), w.astype(np.float64)
    hidden = np.tanh(w32 @ x32)
    slope = (1 - hidden**2) * x32.sum()
    np.testing.assert_allclose(of_x, w32.T @ slope + hidden.sum(), rtol=3e-3)
    np.testing.assert_allclose(of_w, np.outer(slope, x32), rtol=3e-3, atol=1e-4)


def test_many_terms_are_added_in_single_precision():
    x = np.full(1, 0.001, np.float16)
    many = tl.function(lambda x, k: tl.sum(x[k] * 1.0))
    gradient = tl.grad(many)(x, np.zeros(5000, np.int64))
    assert gradient[0] == 5000.0  # one by one, f16 would end at 2048


@tl.custom_vjp
@tl.function
def with_rule(x):
    return x * x


with_rule.defvjp(lambda x: (x * x, x), lambda x, ct: (3.0 * x * ct,))


def test_rules_may_give_what_they_compute():
    gradient = tl.grad(lambda x: tl.sum(with_rule(x)))(X)
    same_bits(gradient, (3 * X.astype(np.float32)).astype(np.float16))


def test_tangents_and_cotangents():
    f = tl.function(lambda x: tl.astype(x * x, tl.f16))
    value, tangent = tl.jvp(f, (X,), (X,))
    assert value.dtype == tangent.dtype == np.float16
    np.testing.assert_allclose(tangent, 2 * value.astype(np.float32), rtol=1e-3)
    [adjoint] = tl.vjp(f, X)[1](X)
    assert adjoint.dtype == np.float16
    np.testing.assert_allclose(adjoint, 2 * X.astype(np.float32) ** 2, rtol=2e-3)


def test_numbers_are_single():
    f = tl.function(lambda a, x: (a * 2.0, x * a))
    number, array = f(np.float16(0.1), X)
    assert number == np.float32(np.float16(0.1)) * 2
    assert array.dtype == np.float32
    assert f(np.float32(0.1), X)[0] == np.float32(0.1) * 2


def test_saved(tmp_path):
    kernel = tl.compile(lambda x: tl.astype(x * 2.0, tl.f16), (tl.f16[:],))
    data = kernel.to_bytes()
    (tmp_path / "k.tlk").write_bytes(data)
    same_bits(tl.load(tmp_path / "k.tlk")(X), (X * 2).astype(np.float16))
    header = next(text for name, text in read_bundle(data, "").targets[0].parts.items() if name.endswith(".h"))
    assert b"const uint16_t *x" in header
    strided = np.repeat(X, 2)[::2]
    same_bits(kernel(strided), (X * 2).astype(np.float16))


def test_run_by_python():
    with tl.disable_jit():
        product, rounded = tl.function(lambda x: (x * 1.1, tl.astype(x * 1.1, tl.f16)))(X)
    assert product.dtype == np.float32
    same_bits(rounded, (X.astype(np.float32) * np.float32(1.1)).astype(np.float16))


@tl.reversible
def cells(y: tl.f16[:], z: tl.f64):
    z += 1.0


REFUSED = [
    (lambda: tl.compile(lambda a: a, (tl.f16,)), r"'a' is a number of type tl\.f16"),
    (lambda: cells(X, 1.0), r"'y' is tl\.f16\[:\], and cells hold no floats of 16 bits"),
    (lambda: tl.compile(lambda x: x, (tl.f16[:],))(X.astype(np.float32)), r"argument 'x' is an array of float32"),
    (lambda: tl.compile(lambda x: x, (tl.f32[:],))(X), r"argument 'x' is an array of float16.*np\.float32"),
    (lambda: tl.function(lambda x: x)(X.astype(np.complex64)), "argument 'x': dtype complex64 .*real and imaginary"),
    (lambda: tl.function(lambda x: x)(X.astype(np.int8)), "argument 'x': dtype int8 is not supported"),
    (lambda: tl.function(lambda x: x)(np.zeros(2, np.uint64)), "argument 'x': dtype uint64 is not supported"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_refusals(call, message):
    with pytest.raises(tl.TypeMismatch, match=f"(?s){message}"):
        call()


def test_formats():
    assert rounded_half(math.pi, "bf16") == 3.140625
    assert rounded_half(-0.0, "f16") == 0.0 and math.copysign(1.0, rounded_half(-0.0, "f16")) == -1.0
