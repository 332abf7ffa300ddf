"""Calls of the language's own operators: one table from name to handler."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tapeless._mlir import ir
from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.frontend import (
    conversions,
    creation,
    linear_algebra,
    promotion,
    reductions,
    second_order,
    shaping,
    sorting,
)
from tapeless.frontend.elementwise import apply
from tapeless.frontend.functions import FUNCTIONS
from tapeless.frontend.powers import power
from tapeless.frontend.transforms import table
from tapeless.frontend.values import FUNCTIONS as CALLABLE
from tapeless.frontend.values import (
    Array,
    Checkpointed,
    Number,
    Opaque,
    Scalar,
    Tuple,
    Value,
    describe,
    integer,
    literal,
)
from tapeless.lang import Operator
from tapeless.types import bool_, f64, i64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

Handler = Callable[..., Value]
VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def apply_operator(
    t: Translator, operator: Operator, arguments: Sequence[Value], keywords: Mapping[str, Value]
) -> Value:
    """The result of an operator; arguments left out take its defaults."""
    name = operator.__name__
    if name not in HANDLERS:
        raise t.error(f"tl.{name} cannot be called here", f"use it as '{MISPLACED[name]}'")
    try:
        bound = operator.__signature__.bind(*arguments, **keywords)
    except TypeError as error:
        raise t.error(f"tl.{name}: {error}", f"its parameters: {operator.__signature__}", ArgumentError) from None
    given = set(bound.arguments)
    bound.apply_defaults()
    for parameter, value in bound.arguments.items():
        kind = operator.__signature__.parameters[parameter].kind
        if parameter not in given and kind not in VARIADIC:
            bound.arguments[parameter] = _default(value)
    return HANDLERS[name](t, *bound.args, **bound.kwargs)


def _default(value: Any) -> Value:
    return literal(value) if isinstance(value, (bool, int, float)) else Opaque(value)


def _scalar_function(name: str) -> Handler:
    function = FUNCTIONS[name]

    def handler(t: Translator, *arguments: Value) -> Number:
        return apply(t, function, *(t.number(argument) for argument in arguments))

    return handler


def length(t: Translator, x: Value) -> Scalar:
    """`len(x)` of an array or a tuple."""
    if isinstance(x, Tuple):
        return literal(len(x.items))
    if isinstance(x, Scalar):
        raise t.error("a scalar has no length", "use an array or a tuple", TypeMismatch)
    return integer(t.array(x).dims[0])


def _scalar_conversion(name: str, dtype: Any, cast: Callable[[Any], Any]) -> Handler:
    def handler(t: Translator, x: Value) -> Scalar:
        if not isinstance(x, Scalar):
            raise t.error(f"{name}() of {describe(x)}", f"use tl.astype(x, {dtype!r}) for arrays", TypeMismatch)
        if x.literal is not None:
            return literal(_cast_literal(t, name, cast, x.literal))
        if x.dtype == dtype and x.affine is not None:
            return integer(x.affine)
        return conversions.converted(t, x, dtype, weak=True)

    return handler


def _cast_literal(t: Translator, name: str, cast: Callable[[Any], Any], value: Any) -> Any:
    try:
        return cast(value)
    except (ValueError, OverflowError):
        raise t.error(f"{name}({value!r}) has no value", "convert a finite number") from None


def stop_gradient(t: Translator, x: Value) -> Value:
    """The value, opaque to differentiation; integers and bools have no derivative anyway."""
    if isinstance(x, Tuple):
        return Tuple(tuple(stop_gradient(t, item) for item in x.items))
    number = t.held(t.number(x))
    if not number.dtype.is_float:
        return number
    value = promotion.ssa(t.builder, number) if isinstance(number, Scalar) else number.ssa
    stopped: ir.Value = t.builder.value("ad.stop_gradient", value.type, [value])
    if isinstance(number, Scalar):
        return promotion.from_ssa(t.builder, stopped, number.dtype, weak=number.weak)
    return Array(number.dtype, number.dims, stopped)


def checkpoint(t: Translator, f: Value) -> Checkpointed:
    """The function, marked."""
    if not isinstance(f, CALLABLE):
        raise t.error(f"tl.checkpoint takes a function, not {describe(f)}", "write tl.checkpoint(f)(x)", TypeMismatch)
    return Checkpointed(f)


HANDLERS: dict[str, Handler] = {
    **{name: _scalar_function(name) for name in FUNCTIONS},
    **creation.HANDLERS,
    **shaping.HANDLERS,
    **reductions.HANDLERS,
    **sorting.HANDLERS,
    **linear_algebra.HANDLERS,
    **second_order.HANDLERS,
    **table.HANDLERS,
    "pow": lambda t, x, y: power(t, t.number(x), t.number(y)),
    "len": length,
    "int": _scalar_conversion("int", i64, int),
    "float": _scalar_conversion("float", f64, float),
    "bool": _scalar_conversion("bool", bool_, bool),
    "stop_gradient": stop_gradient,
    "checkpoint": checkpoint,
}

MISPLACED = {
    "range": "for i in tl.range(n):",
    "bounded": "while tl.bounded(condition, n):",
}
