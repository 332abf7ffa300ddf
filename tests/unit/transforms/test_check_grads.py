"""check_grads: what it accepts, what it finds, what it says."""

import numpy as np
import pytest

import tapeless as tl

pytestmark = pytest.mark.one_in(2)

X = np.array([0.5, 1.25, 2.0])


@pytest.mark.parametrize("dtype", [np.float64, pytest.param(np.float32, marks=pytest.mark.thorough)])
def test_right_derivatives_pass(dtype):
    def f(x, n, s):
        return tl.sum(tl.sin(x) * s) * n, x * s

    tl.check_grads(f, (X.astype(dtype), 3, dtype(0.5)))


@pytest.mark.thorough
def test_third_order_and_single_arguments():
    tl.check_grads(lambda x: tl.exp(x) * x, 0.5, order=3)
    tl.check_grads(tl.tanh, X, order=2, modes=("rev",))


def test_large_arguments():
    tl.check_grads(lambda x: tl.sqrt(x), 1e6, order=1)


def test_stopped_gradients_are_found():
    with pytest.raises(
        tl.GradientMismatch, match=r"lambda\(\): forward mode .* in argument 'x' along .*: .* instead of"
    ):
        tl.check_grads(lambda x: x * tl.stop_gradient(x), 2.0)
    with pytest.raises(AssertionError, match="reverse mode"):
        tl.check_grads(lambda x: x * tl.stop_gradient(x), 2.0, modes=("rev",))


def test_wrong_rules_are_found_in_the_right_mode_and_order():
    @tl.custom_vjp
    def f(x):
        return x**3

    f.defvjp(lambda x: (x**3, x), lambda x, ct: (ct * 3.0 * tl.stop_gradient(x) ** 2,))
    tl.check_grads(f, 2.0, order=1)
    with pytest.raises(tl.GradientMismatch, match="the pullback of vjp_f"):
        tl.check_grads(f, 2.0, order=2, modes=("rev",))


def test_a_kink_is_found_by_a_tight_tolerance():
    tl.check_grads(lambda x: x**3, 1.0, order=1, tolerance=1e-6)
    with pytest.raises(tl.GradientMismatch):
        tl.check_grads(lambda x: x**3, 1.0, order=1, tolerance=1e-14)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"modes": ("forward",)}, "unknown mode 'forward'"),
        ({"order": 0}, "order=0"),
        ({"methods": ("auto",)}, "unknown method 'auto'; use one of 'redundant'"),
        ({"methods": ("redundent",)}, "did you mean 'redundant'"),
    ],
)
def test_options_are_checked(options, message):
    with pytest.raises(tl.ArgumentError, match=message):
        tl.check_grads(tl.sin, 1.0, **options)
