"""Transformed functions as values: `tl.grad(f)` and its kin, whose options must be known when compiling."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.frontend.structures.attributes import is_function
from tapeless.frontend.transforms import directional
from tapeless.frontend.transforms.arguments import Argnums
from tapeless.frontend.transforms.losses import of_loss
from tapeless.frontend.values.value import STRUCTURES, Opaque, Scalar, Transform, Tuple, Value, describe
from tapeless.methods import MethodChoice
from tapeless.trees import branch

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def gradient(kind: str) -> Callable[..., Transform]:
    """The handler of `tl.grad` or `tl.value_and_grad`."""

    def handler(
        t: Translator, f: Value, argnums: Value, method: Value, has_aux: Value, loss: Value, fallback: Value
    ) -> Transform:
        function = of_loss(t, kind, _function(t, kind, f), _loss(t, loss), is_needed=True)
        is_aux, chosen = _flag(t, has_aux, "has_aux"), _method(t, method, fallback)
        return Transform(kind, function, _argnums(t, argnums), is_aux, chosen)

    return handler


def jacobian(kind: str) -> Callable[..., Transform]:
    """The handler of `tl.jacfwd`, `tl.jacrev` or `tl.hessian`."""

    def handler(t: Translator, f: Value, argnums: Value, method: Value, loss: Value, fallback: Value) -> Transform:
        function = of_loss(t, kind, _function(t, kind, f), _loss(t, loss))
        return Transform(kind, function, _argnums(t, argnums), method=_method(t, method, fallback))

    return handler


def vmap(t: Translator, f: Value, in_axes: Value, out_axes: Value) -> Transform:
    made = _axes(t, in_axes, "in_axes"), _axes(t, out_axes, "out_axes")
    return Transform("vmap", _function(t, "vmap", f), in_axes=made[0], out_axes=made[1])


def _axes(t: Translator, value: Value, name: str) -> Any:
    """A tree of axes; None is one of its leaves."""
    if isinstance(value, STRUCTURES):
        return branch(value.node, [_axes(t, item, name) for item in value.items])
    return None if _is_none(value) else t.constant(value, f"an entry of {name}")


def jvp(t: Translator, f: Value, primals: Value, tangents: Value, method: Value, fallback: Value) -> Value:
    return directional.jvp(t, _function(t, "jvp", f), primals, tangents, _method(t, method, fallback))


def vjp(t: Translator, f: Value, *primals: Value, method: Value, fallback: Value) -> Value:
    return directional.vjp(t, _function(t, "vjp", f), primals, _method(t, method, fallback))


def hvp(t: Translator, f: Value, x: Value, v: Value, method: Value, fallback: Value) -> Value:
    return directional.hvp(t, _function(t, "hvp", f), x, v, _method(t, method, fallback))


def jit(t: Translator, f: Value, **options: Value) -> Value:
    if options:
        raise t.error("options of tl.jit inside a function", "give them to the function that is called from Python")
    return _function(t, "jit", f)


def _function(t: Translator, kind: str, value: Value) -> Value:
    if is_function(value):
        return value
    raise t.error(f"tl.{kind} takes a function, not {describe(value)}", f"write tl.{kind}(f)", TypeMismatch)


def _is_none(value: Value) -> bool:
    return isinstance(value, Opaque) and value.value is None


def _method(t: Translator, method: Value, fallback: Value) -> MethodChoice:
    try:
        return MethodChoice.checked(_option(method), _option(fallback))
    except ArgumentError as error:
        raise t.error(str(error), None, ArgumentError) from None


def _option(value: Value) -> Any:
    """The text of an option, in words where it is not known when compiling."""
    if isinstance(value, Opaque):
        return value.value
    known = value.literal if isinstance(value, Scalar) else None
    return describe(value) if known is None else known


def _flag(t: Translator, value: Value, name: str) -> bool:
    known = value.literal if isinstance(value, Scalar) else None
    if not isinstance(known, bool):
        raise t.error(f"{name} is {describe(value)}", "write True or False", TypeMismatch)
    return known


def _loss(t: Translator, value: Value) -> int | str | None:
    return None if _is_none(value) else _argnum(t, value)


def _argnums(t: Translator, value: Value) -> Argnums:
    if isinstance(value, Tuple):
        return tuple(_argnum(t, item) for item in value.items)
    return _argnum(t, value)


def _argnum(t: Translator, value: Value) -> int | str:
    if isinstance(value, Opaque) and isinstance(value.value, str):
        return value.value
    return t.constant(value, "an entry of argnums")
