"""Attributes: `x.shape` and its kin, methods of arrays, names of modules."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless import lang
from tapeless.errors import TypeMismatch
from tapeless.frontend.arrays import axes, reshaping
from tapeless.frontend.syntax import scoping
from tapeless.frontend.values.capture import captured_value
from tapeless.frontend.values.value import (
    Array,
    Method,
    Opaque,
    Pending,
    Scalar,
    Tuple,
    Value,
    describe,
    integer,
    literal,
)

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

METHODS = [
    "sum",
    "prod",
    "min",
    "max",
    "mean",
    "argmin",
    "argmax",
    "cumsum",
    "cumprod",
    "any",
    "all",
    "argsort",
    "reshape",
    "transpose",
    "copy",
    "astype",
    "dot",
    "round",
    "clip",
    "diagonal",
    "flatten",
    "ravel",
    "repeat",
    "searchsorted",
    "squeeze",
    "std",
    "swapaxes",
    "take",
    "trace",
    "var",
]


def attribute(t: Translator, node: ast.Attribute) -> Value:
    dotted = scoping.dotted_name(node)
    if dotted and t.frame.find(dotted.split(".")[0]) is None:
        return _module_attribute(t, node, dotted)
    value = t.evaluate(node.value)
    if isinstance(value, (Array, Pending)):
        return array_attribute(t, node.attr, value)
    raise t.error(f"{describe(value)} has no attribute '{node.attr}'", "use x.shape, x.ndim, x.size, x.T on arrays")


def _module_attribute(t: Translator, node: ast.Attribute, dotted: str) -> Value:
    try:
        return captured_value(t, t.frame.source.lookup(dotted), dotted)
    except KeyError:
        base = t.evaluate(node.value)
    if isinstance(base, (Array, Pending)):
        return array_attribute(t, node.attr, base)
    raise t.error(f"'{dotted}' is not defined", "use a name that exists when the function is decorated")


def array_attribute(t: Translator, attr: str, value: Array | Pending) -> Value:
    """An attribute of an array."""
    if attr == "shape":
        return Tuple(tuple(integer(size) for size in value.dims))
    if attr == "ndim":
        return literal(value.rank)
    if attr == "size":
        return integer(reshaping.product(t, value.dims))
    if attr == "T":
        return axes.transpose(t, value, Opaque(None))
    if attr == "dtype":
        return Opaque(value.dtype)
    if attr in METHODS:
        return Method(lang.OPERATORS[attr], value)
    raise t.error(
        f"arrays have no attribute '{attr}'", f"use shape, ndim, size, T, dtype, {', '.join(METHODS)}, or tl functions"
    )


def length(t: Translator, x: Value) -> Scalar:
    """`len(x)` of an array or a tuple."""
    if isinstance(x, Tuple):
        return literal(len(x.items))
    if isinstance(x, Scalar):
        raise t.error("a scalar has no length", "use an array or a tuple", TypeMismatch)
    return integer(t.array(x).dims[0])
