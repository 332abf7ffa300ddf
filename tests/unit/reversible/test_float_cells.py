"""Cells of f32, and complex numbers as two cells."""

import cmath

import numpy as np
import pytest

import tapeless as tl


@tl.reversible
def narrow(y: tl.f32, x: tl.In[tl.f32[:]]):
    with tl.ancilla(0.0, dtype=tl.f32) as z:
        with tl.routine() as r:
            for i in range(len(x)):
                z += 0.1 * x[i] + 2
        y += z / 3
        ~r
    y *= 2.0


def test_literals_keep_f32():
    x = np.array([0.5, 1.5, 2.5], np.float32)
    far = narrow(np.float32(1.0), x)
    z = np.float32(0)
    for value in x:
        z += np.float32(0.1) * value + np.float32(2)
    assert far[0] == pytest.approx((np.float32(1) + z / np.float32(3)) * np.float32(2), rel=1e-6)
    assert np.asarray(far[0]).dtype == np.float32
    assert "f64" not in tl.compile(narrow).ir("input")
    assert (~narrow)(*far)[0] == pytest.approx(1.0, rel=1e-6)


@pytest.mark.parametrize(("rest", "is_close"), [(1e-5, True), (1e-3, False)])
def test_ancillas_of_f32_come_back_to_four_digits(rest, is_close):
    @tl.reversible
    def leave(y: tl.f32, rest: tl.In[tl.f32]):
        with tl.ancilla(0.0, dtype=tl.f32) as z:
            z += rest
            y += z

    if is_close:
        assert leave(np.float32(0.0), np.float32(rest))[0] == np.float32(rest)
    else:
        with pytest.raises(tl.InvertibilityError, match="does not hold its last value"):
            leave(np.float32(0.0), np.float32(rest))


@tl.reversible
def logarithm(re: tl.f64, im: tl.f64, a: tl.In[tl.f64], b: tl.In[tl.f64]):
    """Adds the logarithm of a + bi."""
    with tl.ancilla(0.0) as square:
        with tl.routine() as r:
            square += a * a + b * b
        re += 0.5 * tl.log(square)
        ~r
    im += tl.atan2(b, a)


def test_complex_numbers_are_two_cells():
    re, im, a, b = logarithm(0.0, 0.0, 2.0, 3.0)
    assert complex(re, im) == pytest.approx(cmath.log(2 + 3j), rel=1e-15)
    assert (~logarithm)(re, im, a, b)[:2] == (0.0, 0.0)
    assert tl.grad(logarithm, loss="re", argnums=(2, 3))(0.0, 0.0, 2.0, 3.0) == pytest.approx((2 / 13, 3 / 13))
    assert tl.grad(logarithm, loss="im", argnums=(2, 3))(0.0, 0.0, 2.0, 3.0) == pytest.approx((-3 / 13, 2 / 13))
