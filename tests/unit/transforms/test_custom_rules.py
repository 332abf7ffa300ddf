"""Derivative rules of the user's own: both kinds, residuals, structures, nesting, and mistakes in them."""

import numpy as np
import pytest

import tapeless as tl

X = np.array([0.5, 1.25, 2.0])


def doubled():
    """Twice the argument, with an adjoint that is recognisably wrong."""

    @tl.custom_vjp
    @tl.function
    def f(x: tl.f64) -> tl.f64:
        return 2.0 * x

    def fwd(x):
        return f(x), 2.0 * x

    def bwd(residual, ct):
        return (ct + tl.sqrt(residual),)

    f.defvjp(fwd, bwd)
    return f


def test_reverse_mode_uses_the_rule():
    f = doubled()
    assert f(2.5) == 5.0
    assert tl.grad(f)(2.5) == pytest.approx(3.23606797749979, rel=1e-15)
    value, pullback = tl.vjp(f, 2.5)
    assert (value, pullback(0.0)) == (5.0, (pytest.approx(np.sqrt(5.0)),))


def test_the_rule_is_used_wherever_the_function_is_called():
    f = doubled()

    @tl.function
    def outer(x):
        total = 0.0
        for _ in range(3):
            total += f(x) * 3.0
        return total

    assert outer(2.5) == 45.0
    assert tl.grad(outer)(2.5) == pytest.approx(3.0 * (3.0 + np.sqrt(5.0)))
    np.testing.assert_allclose(tl.vmap(tl.grad(f))(X), 1.0 + np.sqrt(2.0 * X))
    np.testing.assert_allclose(tl.grad(lambda x: tl.sum(tl.map(f, x)))(X), 1.0 + np.sqrt(2.0 * X))


def test_the_rule_itself_is_differentiated():
    f = doubled()
    assert tl.grad(tl.grad(f))(2.5) == pytest.approx(1.0 / np.sqrt(5.0))
    assert tl.jvp(tl.grad(f), 2.5, 1.0)[1] == pytest.approx(1.0 / np.sqrt(5.0))


def test_forward_mode_without_a_rule_for_it_differentiates_the_function():
    assert tl.jvp(doubled(), 2.5, 1.0) == (5.0, 2.0)


@pytest.mark.parametrize("decorate", [tl.custom_jvp, lambda f: tl.function(tl.custom_jvp(f))])
def test_forward_rules_serve_both_modes(decorate):
    @decorate
    def f(x, y):
        return x * y

    def rule(primals, tangents):
        x, y = primals
        dx, dy = tangents
        return x * y, 10.0 * dx * y + dy * x

    f.defjvp(rule)
    assert f(2.0, 3.0) == 6.0
    assert tl.jvp(f, (2.0, 3.0), (1.0, 0.5)) == (6.0, 31.0)
    assert tl.grad(f, argnums=(0, 1))(2.0, 3.0) == (30.0, 2.0)


def test_both_rules_for_one_function():
    @tl.custom_vjp
    @tl.custom_jvp
    def f(x):
        return x * x

    f.defvjp(lambda x: (x * x, x), lambda x, ct: (100.0 * ct * x,))
    f.defjvp(lambda primals, tangents: (primals[0] ** 2, 1000.0 * tangents[0]))
    assert tl.grad(f)(3.0) == 300.0
    assert tl.jvp(f, 3.0, 1.0) == (9.0, 1000.0)


def test_structures_of_arguments_results_and_residuals():
    @tl.custom_vjp
    def f(x, n, s):
        return tl.sum(x) * s, n + 1

    def fwd(x, n, s):
        return (tl.sum(x) * s, n + 1), ((x, n), s)

    def bwd(residuals, ct):
        (x, n), s = residuals
        return tl.full_like(x, ct[0] * s * n), 0, tl.sum(x) * ct[0]

    f.defvjp(fwd, bwd)
    assert f(X, 3, 2.0) == (pytest.approx(2.0 * X.sum()), 4)
    out, pullback = tl.vjp(f, X, 3, 2.0)
    assert out == (pytest.approx(2.0 * X.sum()), 4)
    by_x, by_n, by_s = pullback((1.5, 0))
    np.testing.assert_allclose(by_x, np.full(3, 1.5 * 2.0 * 3))
    assert (by_n, by_s) == (0, pytest.approx(1.5 * X.sum()))


def test_functions_and_rules_that_ask_for_derivatives_themselves():
    @tl.custom_vjp
    def slope(x):
        return tl.grad(tl.sin)(x)

    slope.defvjp(lambda x: (slope(x), x), lambda x, ct: (ct * tl.grad(tl.grad(tl.sin))(x),))
    assert tl.grad(slope)(0.5) == pytest.approx(-np.sin(0.5))
    assert tl.jvp(slope, 0.5, 1.0) == (pytest.approx(np.cos(0.5)), pytest.approx(-np.sin(0.5)))
    assert tl.grad(tl.grad(slope))(0.5) == pytest.approx(-np.cos(0.5))


def test_single_precision():
    @tl.custom_vjp
    def f(x):
        return tl.sum(x * x)

    f.defvjp(lambda x: (tl.sum(x * x), x), lambda x, ct: (3.0 * ct * x,))
    gradient = tl.grad(f)(X.astype(np.float32))
    assert gradient.dtype == np.float32
    np.testing.assert_allclose(gradient, 3.0 * X, rtol=1e-6)


def test_a_rule_is_part_of_what_kernels_are_kept_for():
    def made(scale):
        @tl.custom_vjp
        def f(x):
            return x * x

        f.defvjp(lambda x: (x * x, x), lambda x, ct: (ct * x * scale,))
        return f

    assert tl.grad(made(5.0))(2.0) == 10.0
    assert tl.grad(made(7.0))(2.0) == 14.0


def test_without_a_rule_the_function_is_not_differentiated():
    @tl.custom_vjp
    def f(x):
        return x * x

    @tl.function
    def caller(x):
        return f(x) + tl.grad(lambda y: f(y) * y)(x)

    assert f(3.0) == 9.0
    with pytest.raises(tl.FrontendError, match=r"'f' is to be differentiated .* has none\n[^\n]*\n[^\n]*\n.*f\.defvjp"):
        tl.grad(f)(3.0)
    with pytest.raises(tl.FrontendError, match=r"test_custom_rules\.py:\d+:"):
        caller(3.0)


def squared(fwd, bwd):
    @tl.custom_vjp
    def f(x):
        return tl.sum(x * x)

    f.defvjp(fwd, bwd)
    return f


MISTAKES = [
    (lambda x: tl.sum(x), lambda r, ct: (r,), tl.TypeMismatch, r"return \(result, residuals\)"),
    (lambda x: (x, x), lambda r, ct: (r,), tl.TypeMismatch, "the result of 'lambda' is an array"),
    (lambda x: (tl.sum(x), x), lambda r, ct: (r, r), tl.TypeMismatch, "2 adjoints for the 1 parameters"),
    (lambda x: (tl.sum(x), x), lambda r, ct: (ct,), tl.TypeMismatch, "the adjoint of 'x' .*give an array of rank 1"),
    (lambda x: (tl.sum(x), lambda y: y), lambda r, ct: (ct,), tl.TypeMismatch, "residuals .* hold a function"),
    (lambda x: (tl.sum(x), x), lambda r, ct: (r[1:],), tl.ShapeMismatch, "an adjoint of size 2 .* the value has 3"),
]


@pytest.mark.parametrize(("fwd", "bwd", "error", "message"), MISTAKES)
def test_mistakes_in_reverse_rules(fwd, bwd, error, message):
    f = squared(fwd, bwd)
    with pytest.raises(error, match=f"(?s){message}"):
        tl.grad(f)(X)


def test_mistakes_in_forward_rules():
    @tl.custom_jvp
    def f(x):
        return x * x

    f.defjvp(lambda primals, tangents: (primals[0], tl.sum(tangents[0])))
    with pytest.raises(tl.TypeMismatch, match="the tangent from 'lambda' is a scalar"):
        tl.jvp(f, X, X)


def test_rules_have_the_right_number_of_parameters_and_are_given_once():
    f = doubled()
    with pytest.raises(tl.ArgumentError, match=r"fwd of f\(\), lambda\(\), has 2 parameters; give it 1"):
        f.defvjp(lambda x, y: (x, y), lambda r, ct: (ct,))
    with pytest.raises(tl.ArgumentError, match="give it 2: the residuals and the cotangent"):
        f.defvjp(lambda x: (x, x), lambda r: (r,))
    with pytest.raises(tl.ArgumentError, match="has a reverse-mode rule already"):
        f.defvjp(lambda x: (x, x), lambda r, ct: (ct,))
    with pytest.raises(tl.ArgumentError, match="give it 2: the tuples"):
        f.defjvp(lambda primals: primals)
    with pytest.raises(tl.ArgumentError, match=r"tl\.custom_vjp takes a function"):
        tl.custom_vjp(3.0)


def test_customised_functions_take_structures():
    @tl.custom_vjp
    def f(params, n):
        return params["w"] * params["pair"][0]

    f.defvjp(
        lambda params, n: (params["w"] * params["pair"][0], params),
        lambda kept, ct: ({"w": 7.0 * ct, "pair": (2.0 * ct * kept["w"], 0.0)}, 0),
    )
    found = tl.grad(lambda x, y: f({"w": x, "pair": (y, 1.0)}, 3), argnums=(0, 1))(2.0, 3.0)
    assert found == (7.0, 4.0)
    assert tl.grad(f)({"w": 2.0, "pair": (3.0, 1.0)}, 3) == {"w": 7.0, "pair": (4.0, 0.0)}


def test_rules_give_adjoints_of_the_structure_of_the_arguments():
    @tl.custom_vjp
    def f(params):
        return params["w"]

    f.defvjp(lambda params: (params["w"], ()), lambda kept, ct: ((ct,),))
    with pytest.raises(tl.TypeMismatch, match="the adjoint of 'params' from 'lambda' is a tuple of 1"):
        tl.grad(f)({"w": 2.0})


def test_customised_functions_take_no_local_functions():
    @tl.custom_vjp
    def f(pair):
        return pair[0]

    with pytest.raises(tl.TypeMismatch, match="takes numbers, arrays and structures of them only"):
        tl.function(lambda x: f((x, lambda y: y + x)))(2.0)
