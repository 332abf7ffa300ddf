"""Derivatives in given directions: `tl.jvp`, `tl.hvp`, and `tl.vjp` with its pullback."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from tapeless.api.decorated import TapelessFunction
from tapeless.api.transforms.derive import as_function
from tapeless.api.transforms.pullback import Pullback, pull_from
from tapeless.api.transforms.pushforward import along
from tapeless.errors import ArgumentError
from tapeless.lang import in_language
from tapeless.methods import MethodChoice
from tapeless.tracebacks import user_facing

R = TypeVar("R")


@in_language
@user_facing
def jvp(
    f: Callable[..., R], primals: Any, tangents: Any, method: str | None = None, fallback: bool | None = None
) -> tuple[R, R]:
    """`(out, out_tangent)`: the result of f and its derivative along the tangents; tuples for several arguments.

    >>> tl.jvp(lambda x, y: x * y, (3.0, 4.0), (1.0, 0.0))
    (12.0, 4.0)
    """
    inner, values, directions = _checked("jvp", f, primals, tangents)
    choice = MethodChoice.checked(method, fallback)
    derivative, given = along(inner, jvp, values, directions, choice, is_tuple=isinstance(primals, (tuple, list)))
    return derivative(*given)


@in_language
@user_facing
def hvp(f: Callable[..., Any], x: Any, v: Any, method: str | None = None, fallback: bool | None = None) -> Any:
    """The Hessian of a scalar function at x times v; tuples for several arguments.

    >>> tl.hvp(lambda x: tl.sum(x * x * x), np.array([1.0, 2.0]), np.array([1.0, 1.0]))
    array([ 6., 12.])
    """
    inner, values, directions = _checked("hvp", f, x, v)
    choice = MethodChoice.checked(method, fallback)
    derivative, given = along(inner, hvp, values, directions, choice, is_tuple=isinstance(x, (tuple, list)))
    return derivative(*given)


@in_language
@user_facing
def vjp(
    f: Callable[..., R], *primals: Any, method: str | None = None, fallback: bool | None = None
) -> tuple[R, Pullback]:
    """`(out, pullback)`: `pullback(ct)` gives one adjoint per primal for a cotangent in the structure of `out`.

    >>> out, pullback = tl.vjp(lambda x, y: x * y, 3.0, 4.0)
    >>> out, pullback(1.0)
    (12.0, (4.0, 3.0))
    """
    return pull_from(as_function("vjp", f), vjp, primals, MethodChoice.checked(method, fallback))


def _checked(kind: str, f: Any, primals: Any, tangents: Any) -> tuple[TapelessFunction, Any, Any]:
    values, directions = (tuple(each) if isinstance(each, (tuple, list)) else (each,) for each in (primals, tangents))
    if len(values) != len(directions):
        raise ArgumentError(f"tl.{kind} has {len(directions)} tangents for {len(values)} primals; give one for each")
    return as_function(kind, f), values, directions
