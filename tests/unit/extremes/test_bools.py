"""Bools whose bytes are neither 0 nor 1, as arrays viewed from other types have them: whatever is not 0 is true."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl

SMALL = np.array([0, 1, 2, 3, 128, 255, 0, 254, 1, 16], np.uint8)
SIZES = (1, 100)


@tl.function
def used(m: tl.bool_[:], x: tl.f64[:]):
    return (
        tl.sum(tl.where(m, x, 0.0)),
        tl.sum(tl.astype(m, tl.i64)),
        tl.any(m & (x > 5.0)),
        tl.all(m),
        ~m,
        m ^ (x > 5.0),
        tl.astype(m, tl.f64),
        tl.where(m, 1, 2),
        m == (x > 5.0),
        tl.argmax(tl.astype(m, tl.i64)),
        tl.where(m, tl.exp(x), tl.sin(x)),
    )


@tl.function
def first_is_set(m: tl.bool_[:], i: tl.i64):
    return 1.0 if m[i] else 2.0


def reference(m: np.ndarray, x: np.ndarray) -> tuple:
    return (
        np.where(m, x, 0.0).sum(),
        m.sum(),
        bool(np.any(m & (x > 5.0))),
        bool(m.all()),
        ~m,
        m ^ (x > 5.0),
        m.astype(float),
        np.where(m, 1, 2),
        m == (x > 5.0),
        np.argmax(m),
        np.where(m, np.exp(x), np.sin(x)),
    )


@pytest.mark.one_in(2)
@pytest.mark.parametrize("times", SIZES)
@pytest.mark.parametrize("layout", ["as it is", "strided"])
def test_any_byte_but_0_is_true(times: int, layout: str) -> None:
    """Contiguous arrays take the fast path of a call, others are copied by Python."""
    raw = np.tile(SMALL, times)
    odd = raw.view(np.bool_) if layout == "as it is" else np.repeat(raw, 2).view(np.bool_)[::2]
    x = np.arange(len(raw), dtype=float) % 11
    for found, wanted in zip(used(odd, x), reference(raw != 0, x), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-14)
    assert [first_is_set(odd, i) for i in range(10)] == [1.0 if byte else 2.0 for byte in SMALL]


def test_gradients_choose_as_the_value_does() -> None:
    @tl.function
    def chosen(x: tl.f64[:], m: tl.bool_[:]):
        return tl.sum(tl.where(m, x * x, x))

    x = np.arange(1.0, 11.0)
    np.testing.assert_array_equal(tl.grad(chosen)(x, SMALL.view(np.bool_)), np.where(SMALL != 0, 2 * x, 1.0))
