"""Transformations that give derivatives as functions: gradients, Jacobians, Hessians."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from tapeless.api.decorated import TapelessFunction
from tapeless.api.transforms.argnums import Argnums, checked_argnums
from tapeless.api.transforms.derive import applied, as_function
from tapeless.errors import ArgumentError
from tapeless.lang import in_language
from tapeless.methods import MethodChoice
from tapeless.tracebacks import user_facing

P = ParamSpec("P")
R = TypeVar("R")

Loss = int | str | None


@in_language
@user_facing
def grad(
    f: Callable[P, Any],
    argnums: Argnums = 0,
    method: str | None = None,
    has_aux: bool = False,
    loss: Loss = None,
    fallback: bool | None = None,
) -> TapelessFunction[P, Any]:
    """The gradient of a scalar function in some of its arguments, as a function of the same arguments.

    A tuple of `argnums` gives a tuple of gradients. With `has_aux` the function returns `(loss, aux)`, and the gradient
    function `(gradient, aux)`. For a reversible procedure, `loss` is the index or the name of the parameter that holds
    the loss in the end.

    >>> tl.grad(lambda x, y: x * x * y, argnums=(0, 1))(3.0, 4.0)
    (24.0, 9.0)
    """
    return _gradient(grad, f, argnums, MethodChoice.checked(method, fallback), has_aux, loss)


@in_language
@user_facing
def value_and_grad(
    f: Callable[P, Any],
    argnums: Argnums = 0,
    method: str | None = None,
    has_aux: bool = False,
    loss: Loss = None,
    fallback: bool | None = None,
) -> TapelessFunction[P, tuple[Any, Any]]:
    """The function of the same arguments that gives `(value, gradient)`; with `has_aux`, `((loss, aux), gradient)`.

    >>> tl.value_and_grad(lambda x: x * x)(3.0)
    (9.0, 6.0)
    """
    return _gradient(value_and_grad, f, argnums, MethodChoice.checked(method, fallback), has_aux, loss)


@in_language
@user_facing
def jacfwd(
    f: Callable[P, Any],
    argnums: Argnums = 0,
    method: str | None = None,
    loss: Loss = None,
    fallback: bool | None = None,
) -> TapelessFunction[P, Any]:
    """The Jacobian by forward mode; its shape is the result's followed by the argument's.

    >>> tl.jacfwd(lambda x: x * x)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """
    return _jacobian(jacfwd, f, argnums, MethodChoice.checked(method, fallback), loss)


@in_language
@user_facing
def jacrev(
    f: Callable[P, Any],
    argnums: Argnums = 0,
    method: str | None = None,
    loss: Loss = None,
    fallback: bool | None = None,
) -> TapelessFunction[P, Any]:
    """The Jacobian by reverse mode; its shape is the result's followed by the argument's.

    >>> tl.jacrev(lambda x: tl.sum(x, axis=0) * 2.0)(np.ones((2, 1)))
    array([[[2.],
            [2.]]])
    """
    return _jacobian(jacrev, f, argnums, MethodChoice.checked(method, fallback), loss)


@in_language
@user_facing
def hessian(
    f: Callable[P, Any],
    argnums: Argnums = 0,
    method: str | None = None,
    loss: Loss = None,
    fallback: bool | None = None,
) -> TapelessFunction[P, Any]:
    """The matrix of second derivatives: `jacfwd` of `jacrev`.

    >>> tl.hessian(lambda x: x[0] * x[0] * x[1])(np.array([3.0, 4.0]))
    array([[8., 6.],
           [6., 0.]])
    """
    return _jacobian(hessian, f, argnums, MethodChoice.checked(method, fallback), loss)


@in_language
@user_facing
def checkpoint(f: Callable[P, R]) -> TapelessFunction[P, R]:
    """The function, run again as a whole by reverse mode instead of keeping anything from inside.

    >>> tl.grad(lambda x: tl.checkpoint(lambda y: y * y)(x) * x)(2.0)
    12.0
    """
    inner = as_function("checkpoint", f)
    return applied(checkpoint, inner, inner.source.parameters)


def _gradient(
    kind: Callable[..., Any], f: Any, argnums: Argnums, method: MethodChoice, has_aux: bool, loss: Loss
) -> TapelessFunction:
    inner = as_function(kind.__name__, f)
    if not isinstance(has_aux, bool):
        raise ArgumentError(f"has_aux={has_aux!r} is not a bool; give True or False")
    argnums = checked_argnums(inner, argnums)
    return applied(kind, inner, inner.source.parameters, argnums=argnums, **method.options, has_aux=has_aux, loss=loss)


def _jacobian(kind: Callable[..., Any], f: Any, argnums: Argnums, method: MethodChoice, loss: Loss) -> TapelessFunction:
    inner = as_function(kind.__name__, f)
    argnums = checked_argnums(inner, argnums)
    return applied(kind, inner, inner.source.parameters, argnums=argnums, **method.options, loss=loss)
