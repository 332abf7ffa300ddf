"""`tl.random`: the bits of JAX, stored here and asked of JAX where it is installed; derivatives go around keys."""

from __future__ import annotations

import math

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

METHODS = ("redundant", "reversible", "coarsened")
FLOATS = {"f32": (tl.f32, np.float32, np.int32), "f64": (tl.f64, np.float64, np.int64)}
# How far normal numbers may be from those of JAX, in units of the last place: its logarithm is another.
NORMAL_ULPS = {"f32": 4, "f64": 30}

# What jax 0.10.2 gives, with 64-bit numbers enabled, for jax.random.PRNGKey(42) where no seed is named.
KEYS = {0: (0, 0), 42: (0, 42), -1: (2**32 - 1, 2**32 - 1), 2**40 + 17: (256, 17), 2**31 + 5: (0, 2**31 + 5)}
SPLIT = [[1832780943, 270669613], [64467757, 2916123636], [2465931498, 255383827], [3134548294, 894150801]]
FOLDED = {7: [2547012911, 1371500959], 2**32 - 1: [2398536845, 3890976714]}
BITS = [2098992034, 2919706841, 2646866425, 2409546199, 1935504149, 2516274904, 321304473, 3329172656]
UNIFORM = {
    "f32": "0x1.f47048p-2 0x1.5c0e6p-1 0x1.3b87fp-1 0x1.1f3d8p-1 0x1.cd75c8p-2",
    "f64": "0x1.b4f8123c40884p-2 0x1.ebd996d6e8400p-7 0x1.25f641d41e71ap-1 0x1.75aad28c6a974p-1 0x1.60275dc7869dap-1",
}
BETWEEN = {  # -2.5 and 3.75
    "f32": "0x1.1bdeep-1 0x1.bfacecp+0 0x1.5a08cep+0 0x1.01a03p+0 0x1.442022p-2",
    "f64": "0x1.561ce3f126a72p-3 -0x1.33fdf01140d47p+1 0x1.16a18db6df231p+0 0x1.07dae8fb668c5p+1 0x1.cc7b050f84ac9p+0",
}
NORMAL = {
    "f32": "-0x1.cfbe2ap-6 0x1.de57dp-2 0x1.2eccc2p-2 0x1.3a7648p-3 -0x1.fc09d6p-4",
    "f64": "-0x1.7a4a26c962159p-3 -0x1.15bccfaa7ba3ap+1 0x1.7ed8110b50460p-3 0x1.397ad84a04356p-1 0x1.f5603e3665211p-2",
}


def stored(text: str, name: str) -> np.ndarray:
    return np.array([float.fromhex(each) for each in text.split()], FLOATS[name][1])


def ulps(found: np.ndarray, expected: np.ndarray, name: str) -> int:
    """The largest distance of numbers of one sign, in units of the last place."""
    words = FLOATS[name][2]
    return int(np.abs(found.view(words).astype(np.int64) - expected.view(words).astype(np.int64)).max())


def test_keys():
    for seed, words in KEYS.items():
        made = tl.random.key(seed)
        assert made.dtype == np.uint32
        assert tuple(made) == words
    assert tuple(tl.random.key(np.int32(-3))) == (0, 2**32 - 3)
    assert tuple(tl.random.key(np.uint32(2**32 - 1))) == (0, 2**32 - 1)


def test_split_and_fold_in():
    key = tl.random.key(42)
    np.testing.assert_array_equal(tl.random.split(key), SPLIT[:2])
    np.testing.assert_array_equal(tl.random.split(key, 3), SPLIT[:3])
    np.testing.assert_array_equal(tl.random.split(key, (2, 2)), np.reshape(SPLIT, (2, 2, 2)))
    for data, words in FOLDED.items():
        np.testing.assert_array_equal(tl.random.fold_in(key, data), words)
    np.testing.assert_array_equal(tl.random.fold_in(key, -1), FOLDED[2**32 - 1])


def test_bits():
    key = tl.random.key(42)
    assert tl.random.bits(key) == BITS[0]
    np.testing.assert_array_equal(tl.random.bits(key, 8), np.array(BITS, np.uint32))
    np.testing.assert_array_equal(tl.random.bits(key, (2, 4)), np.reshape(BITS, (2, 4)))
    np.testing.assert_array_equal(tl.random.bits(key, (2, 1, 4)), np.reshape(BITS, (2, 1, 4)))


@pytest.mark.parametrize("name", FLOATS)
def test_numbers(name):
    key, dtype = tl.random.key(42), FLOATS[name][0]
    np.testing.assert_array_equal(tl.random.uniform(key, 5, dtype), stored(UNIFORM[name], name))
    between = tl.random.uniform(key, 5, dtype, -2.5, 3.75)
    assert ulps(between, stored(BETWEEN[name], name), name) <= 1  # a product and a sum, which may be rounded once
    normal = tl.random.normal(key, 5, dtype)
    assert normal.dtype == FLOATS[name][1]
    assert ulps(normal, stored(NORMAL[name], name), name) <= NORMAL_ULPS[name]


@pytest.mark.parametrize("name", FLOATS)
def test_against_jax(name):
    jax = pytest.importorskip("jax")
    dtype = FLOATS[name][1]
    key = tl.random.key(7)
    with jax.enable_x64(True):
        theirs = jax.random.PRNGKey(7)
        for shape in ((1000,), (3, 4)):
            bits = np.asarray(jax.random.bits(theirs, shape, np.uint32))
            np.testing.assert_array_equal(tl.random.bits(key, shape), bits)
            uniform = np.asarray(jax.random.uniform(theirs, shape, dtype))
            np.testing.assert_array_equal(tl.random.uniform(key, shape, dtype), uniform)
            normal, expected = tl.random.normal(key, shape, dtype), np.asarray(jax.random.normal(theirs, shape, dtype))
            assert ulps(np.asarray(normal, dtype), expected, name) <= NORMAL_ULPS[name]
        np.testing.assert_array_equal(tl.random.split(key, 5), np.asarray(jax.random.split(theirs, 5)))
        np.testing.assert_array_equal(tl.random.fold_in(key, 99), np.asarray(jax.random.fold_in(theirs, 99)))


@tl.function
def many(key: tl.u32[:], n: tl.i64):
    """Sizes that are known when running, a key made on the way."""
    return tl.random.uniform(key, (n, 3), tl.f32), tl.random.bits(tl.random.fold_in(key, 5), n)


def test_inside_functions():
    key = tl.random.key(3)
    expected = (tl.random.uniform(key, (7, 3), tl.f32), tl.random.bits(tl.random.fold_in(key, 5), 7))
    for ours, wanted in zip(many(key, 7), expected, strict=True):
        assert ours.dtype == wanted.dtype
        np.testing.assert_array_equal(ours, wanted)


def test_on_a_gpu():
    key = tl.random.key(3)
    drawn = tl.function(lambda key, n: (tl.random.uniform(key, (n, 3), tl.f32), tl.random.normal(key, n)))
    with emulated_cuda():
        uniform, normal = tl.compile(drawn, (tl.u32[:], tl.i64), target="cuda")(key, 7)
    np.testing.assert_array_equal(uniform, tl.random.uniform(key, (7, 3), tl.f32))
    np.testing.assert_allclose(normal, tl.random.normal(key, 7), rtol=1e-14)


def test_batches_of_keys():
    keys = tl.random.split(tl.random.key(1), 4)
    together = tl.vmap(lambda key: tl.random.uniform(key, 3))(keys)
    np.testing.assert_array_equal(together, [tl.random.uniform(key, 3) for key in keys])


def test_moments():
    key = tl.random.key(0)
    uniform, normal = tl.random.uniform(key, 200_000), tl.random.normal(tl.random.fold_in(key, 1), 200_000)
    assert uniform.min() >= 0.0 and uniform.max() < 1.0
    assert abs(uniform.mean() - 0.5) < 0.003 and abs(uniform.var() - 1 / 12) < 0.001
    assert abs(normal.mean()) < 0.01 and abs(normal.var() - 1.0) < 0.02 and abs((normal**4).mean() - 3.0) < 0.15
    assert np.isfinite(normal).all()


@tl.function
def expected_loss(mean, spread, key):
    """A sample by a mean and a spread, which are differentiated, and numbers that are not."""
    sample = mean + spread * tl.random.normal(key, 20)
    return tl.mean((sample - 1.0) ** 2)


@tl.function
def walk(key, x, steps):
    for _ in range(steps):
        key, used = tl.random.split(key)
        x = x + 0.1 * tl.sin(x) * tl.random.normal(used)
    return x


@pytest.mark.parametrize("method", METHODS)
def test_derivatives_of_samples(method):
    key = tl.random.key(5)
    noise = tl.random.normal(key, 20)
    off = 2.0 * (0.3 + 0.7 * noise - 1.0)
    by_mean, by_spread = tl.grad(expected_loss, argnums=(0, 1), method=method)(0.3, 0.7, key)
    assert by_mean == pytest.approx(off.mean(), rel=1e-13)
    assert by_spread == pytest.approx((off * noise).mean(), rel=1e-13)
    _, _, of_key = tl.vjp(expected_loss, 0.3, 0.7, key, method=method)[1](1.0)
    assert of_key.dtype == np.uint32 and not of_key.any()
    tl.check_grads(lambda x: walk(key, x, 6), (0.7,), order=1, modes=("rev",), methods=(method,))


def test_bounds_have_derivatives():
    key = tl.random.key(9)
    fraction = tl.random.uniform(key)
    scaled = tl.function(lambda low, high: tl.random.uniform(key, minval=low, maxval=high))
    assert tl.grad(scaled, argnums=(0, 1))(-1.0, 4.0) == pytest.approx((1.0 - fraction, fraction), rel=1e-15)


def test_normal_numbers_are_quantiles():
    key = tl.random.key(11)
    uniform, normal = tl.random.uniform(key, 1000), tl.random.normal(key, 1000)
    distribution = np.array([0.5 * math.erfc(-each / math.sqrt(2.0)) for each in normal])
    np.testing.assert_allclose(distribution, uniform, atol=1e-15)


REFUSED = [
    (lambda: tl.random.uniform(3), tl.TypeMismatch, "the key is a scalar"),
    (lambda: tl.random.uniform(np.array([1, 2])), tl.TypeMismatch, r"the key is an array of type tl.i64.*random\.key"),
    (lambda: tl.random.uniform(np.zeros((3, 2), np.uint32)), tl.TypeMismatch, "the key is an array"),
    (lambda: tl.random.split(np.zeros(3, np.uint32)), tl.ShapeMismatch, "3"),
    (lambda: tl.random.uniform(tl.random.key(0), 3, tl.i32), tl.TypeMismatch, r"random numbers of tl\.i32"),
    (lambda: tl.random.bits(tl.random.key(0), 3, tl.i64), tl.TypeMismatch, r"use dtype=tl\.u32"),
    (lambda: tl.random.key(0.5), tl.TypeMismatch, "the seed is a scalar of type tl.f64"),
    (lambda: tl.random.uniform(tl.random.key(0), -3), tl.ShapeMismatch, "negative"),
]


@pytest.mark.parametrize(("call", "kind", "message"), REFUSED)
def test_refusals(call, kind, message):
    with pytest.raises(kind, match=f"(?s){message}"):
        call()


def test_run_by_python():
    key = tl.random.key(3)
    expected = many(key, 4)
    with tl.disable_jit():
        found = many(key, 4)
    for ours, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, wanted, rtol=1e-15)
