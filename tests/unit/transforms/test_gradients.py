"""Gradients of scalar functions: values, which arguments, auxiliary results, types, options."""

import numpy as np
import pytest

import tapeless as tl

pytestmark = pytest.mark.one_in(2)

X = np.array([0.5, -1.25, 2.0])


@tl.function
def wave(x: tl.f64, y: tl.f64 = 2.0) -> tl.f64:
    """A product."""
    return tl.sin(x) * y


@tl.function
def energy(x, w, n: tl.i64):
    return tl.sum(x * x * w) * n


def test_gradient_of_a_scalar_function():
    assert tl.grad(wave)(0.7, 3.0) == pytest.approx(3.0 * np.cos(0.7), rel=1e-14)


def test_the_value_comes_with_the_gradient():
    value, gradient = tl.value_and_grad(wave)(0.7, 3.0)
    assert value == pytest.approx(3.0 * np.sin(0.7), rel=1e-14)
    assert gradient == pytest.approx(3.0 * np.cos(0.7), rel=1e-14)


@pytest.mark.parametrize("argnums", [1, "w", -2])
def test_one_argument_by_index_or_name(argnums):
    np.testing.assert_allclose(tl.grad(energy, argnums=argnums)(X, 2.0 + X, 3), 3.0 * X * X, rtol=1e-14)


@pytest.mark.parametrize("argnums", [(0, 1), ("x", "w"), [0, "w"]])
def test_several_arguments_give_a_tuple(argnums):
    gradient = tl.grad(energy, argnums=argnums)(X, 2.0 + X, 3)
    assert isinstance(gradient, tuple)
    np.testing.assert_allclose(gradient[0], 6.0 * X * (2.0 + X), rtol=1e-14)
    np.testing.assert_allclose(gradient[1], 3.0 * X * X, rtol=1e-14)


def test_a_tuple_of_one_gives_a_tuple_of_one():
    (gradient,) = tl.grad(energy, argnums=(1,))(X, X, 1)
    np.testing.assert_allclose(gradient, X * X, rtol=1e-14)


def test_the_order_of_argnums_is_the_order_of_gradients():
    by_y, by_x = tl.grad(wave, argnums=("y", "x"))(0.7, 3.0)
    assert (by_x, by_y) == (pytest.approx(3.0 * np.cos(0.7)), pytest.approx(np.sin(0.7)))


def test_auxiliary_results():
    def f(x):
        scaled = 2.0 * x
        return tl.sum(scaled * scaled), (scaled, len(x))

    gradient, (scaled, count) = tl.grad(f, has_aux=True)(X)
    np.testing.assert_allclose(gradient, 8.0 * X, rtol=1e-14)
    np.testing.assert_array_equal(scaled, 2.0 * X)
    assert count == 3
    (loss, aux), gradient = tl.value_and_grad(f, has_aux=True)(X)
    assert loss == pytest.approx(4.0 * np.sum(X * X))
    np.testing.assert_array_equal(aux[0], 2.0 * X)
    np.testing.assert_allclose(gradient, 8.0 * X, rtol=1e-14)


def test_auxiliary_results_cost_no_derivative():
    def f(x):
        return tl.sum(x * x), tl.exp(x)

    text = tl.compile(tl.grad(f, has_aux=True), tl.f64[:]).ir("ad")
    assert text.count("math.exp") == 1 and "tensor.splat" not in text


def test_auxiliary_results_of_sizes_known_only_when_running():
    def f(x, n):
        kept = x[:n]
        return tl.sum(kept * kept), kept

    gradient, kept = tl.grad(f, has_aux=True)(X, 2)
    np.testing.assert_allclose(gradient, [1.0, -2.5, 0.0], rtol=1e-14)
    np.testing.assert_array_equal(kept, X[:2])


def test_gradients_have_the_dtype_of_their_argument():
    x, s = X.astype(np.float32), np.float32(2.0)
    by_x, by_s = tl.grad(lambda x, s: tl.sum(x * x) * s, argnums=(0, 1))(x, s)
    assert (by_x.dtype, by_s.dtype) == (np.float32, np.float32)
    np.testing.assert_allclose(by_x, 4.0 * x, rtol=1e-6)
    mixed = tl.grad(lambda x, y: tl.sum(x * y), argnums=(0, 1))(x, X)
    assert (mixed[0].dtype, mixed[1].dtype) == (np.float32, np.float64)
    np.testing.assert_allclose(mixed[0], X, rtol=1e-6)


def test_defaults_keywords_and_whole_numbers():
    assert tl.grad(wave)(0.7) == pytest.approx(2.0 * np.cos(0.7))
    assert tl.grad(wave)(y=5.0, x=0.7) == pytest.approx(5.0 * np.cos(0.7))
    assert tl.grad(wave)(1) == pytest.approx(2.0 * np.cos(1.0))


def test_keyword_only_parameters():
    @tl.function
    def f(x, *, power):
        return x**power

    assert tl.grad(f)(2.0, power=3.0) == pytest.approx(12.0)
    assert tl.grad(f, argnums="power")(2.0, power=3.0) == pytest.approx(8.0 * np.log(2.0))


def test_plain_functions_lambdas_and_operators():
    assert tl.grad(lambda x: x**4)(2.0) == pytest.approx(32.0)
    assert tl.grad(tl.sin)(0.3) == pytest.approx(np.cos(0.3))
    assert tl.grad(np.exp)(0.3) == pytest.approx(np.exp(0.3))
    np.testing.assert_array_equal(tl.grad(tl.sum)(X), np.ones(3))
    assert tl.grad(tl.atan2, argnums=1)(1.0, 2.0) == pytest.approx(-0.2)


def test_a_parameter_may_have_any_name():
    assert tl.grad(lambda grad, f, p0: grad * f + p0, argnums=(0, 1, 2))(2.0, 3.0, 4.0) == (3.0, 2.0, 1.0)


def test_arguments_that_do_not_matter_have_zero_gradients():
    np.testing.assert_array_equal(tl.grad(lambda x, y: y * y)(X, 3.0), np.zeros(3))
    assert tl.grad(lambda x: float(int(x)))(2.5) == 0.0


def test_gradients_are_functions_like_any_other():
    gradient = tl.grad(wave)
    assert tl.grad(wave) is gradient
    assert tl.grad(wave, argnums=1) is not gradient
    assert gradient.__doc__ == "A product."
    assert tl.jit(gradient, checks="off")(0.7, 3.0) == gradient(0.7, 3.0)
    kernel = tl.compile(gradient, method="redundant")
    assert kernel(0.7, 3.0) == gradient(0.7, 3.0)
    assert '"ad.vjp"' in kernel.ir("input")
    assert "ad." not in kernel.ir("ad")
    assert "math.cos" in kernel.ir("ad")


def test_gradient_of_a_jitted_function_keeps_its_options():
    @tl.function
    def element(x, i):
        return x[i]

    with pytest.raises(tl.IndexOutOfRange):
        tl.grad(element)(X, 3)
    assert tl.grad(tl.jit(element, checks="off")).options.checks == "off"


def test_closures_over_python_values():
    scale = np.array([1.0, 2.0, 3.0])
    np.testing.assert_allclose(tl.grad(lambda x: tl.sum(scale * x * x))(X), 2.0 * scale * X, rtol=1e-14)


def test_stop_gradient_and_checkpoint():
    assert tl.grad(lambda x: x * tl.stop_gradient(x))(3.0) == 3.0
    assert tl.grad(lambda x: tl.checkpoint(lambda y: tl.sin(y) * y)(x))(0.5) == pytest.approx(
        np.sin(0.5) + 0.5 * np.cos(0.5)
    )
    marked = tl.checkpoint(energy)
    assert marked(X, X, 2) == energy(X, X, 2)
    np.testing.assert_allclose(tl.grad(marked)(X, X, 2), 4.0 * X * X, rtol=1e-14)


@pytest.mark.parametrize("checks", ["on", "off"])
def test_fast_math_flags_reach_the_derivative(checks):
    def flags(fastmath):
        return tl.compile(tl.grad(lambda x: tl.sin(x) * x), tl.f64, fastmath=fastmath, checks=checks).ir("fuse")

    assert "fastmath<contract>" in flags(False) and "fastmath<fast>" not in flags(False)
    assert "fastmath<contract>" not in flags(True) and "fastmath<fast>" in flags(True)
    assert "fastmath" not in flags(())
