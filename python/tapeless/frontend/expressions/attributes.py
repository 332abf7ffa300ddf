"""Attributes: `x.shape` and its kin, methods of arrays, names of modules."""

from __future__ import annotations

import ast
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from tapeless import lang
from tapeless.errors import TypeMismatch
from tapeless.frontend.arrays import axes, limits, reshaping
from tapeless.frontend.structures import attributes as parts
from tapeless.frontend.syntax import scoping
from tapeless.frontend.values.capture import captured_value
from tapeless.frontend.values.instead import ATTRIBUTES, instead_of_method
from tapeless.frontend.values.value import (
    STRUCTURES,
    Array,
    Method,
    Number,
    Opaque,
    Pending,
    Record,
    Scalar,
    Tuple,
    Value,
    describe,
    integer,
    literal,
)
from tapeless.spelling import nearest
from tapeless.trees import DICT

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

PACKAGE = "tapeless"
CLOSE = 0.65
"""How alike a name must be to be suggested for a misspelt one."""

PROPERTIES = ["shape", "ndim", "size", "T", "mT", "dtype"]
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
    "nonzero",
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
    if isinstance(value, (Array, Pending, Scalar)):
        return array_attribute(t, node.attr, value)
    if isinstance(value, STRUCTURES):
        return parts.attribute(t, value, node)
    if isinstance(value, lang.Operator):
        return method_of_operator(t, node.attr, value)
    if isinstance(value, Opaque) and isinstance(value.value, (np.finfo, np.iinfo)):
        return limits.limit(t, value.value, node.attr)
    raise t.error(f"{describe(value)} has no attribute '{node.attr}'", "use x.shape, x.ndim, x.size, x.T on arrays")


def _module_attribute(t: Translator, node: ast.Attribute, dotted: str) -> Value:
    try:
        return captured_value(t, t.frame.source.lookup(dotted), dotted)
    except KeyError:
        base = t.evaluate(node.value)
    if isinstance(base, (Array, Pending, Scalar)):
        return array_attribute(t, node.attr, base)
    if isinstance(base, STRUCTURES):
        return parts.attribute(t, base, node)
    if isinstance(base, lang.Operator):
        return method_of_operator(t, node.attr, base)
    near = _nearest_of_module(node.attr, base.value) if isinstance(base, Opaque) else None
    hint = (
        f"did you mean '{dotted.rpartition('.')[0]}.{near}'?"
        if near
        else "use a name that exists when the function is decorated"
    )
    raise t.error(f"'{dotted}' is not defined", hint)


def _nearest_of_module(attr: str, module: Any) -> str | None:
    """The name in a module most like a misspelt one, among those that mean something in the language."""
    if not isinstance(module, ModuleType):
        return None
    known = [name for name, value in vars(module).items() if isinstance(value, float) or lang.meaning(value)]
    public = module.__all__ if module.__name__ == PACKAGE else []
    return nearest(attr, sorted({*known, *public}), CLOSE)


def method_of_operator(t: Translator, attr: str, operator: lang.Operator) -> lang.Operator:
    """`np.add.reduce` and its kin, which are operators themselves."""
    if attr in operator.methods:
        return operator.methods[attr]
    raise t.error(f"{operator!r} has no '{attr}' here", f"write {instead_of_method(operator, attr)}")


def array_attribute(t: Translator, attr: str, value: Number) -> Value:
    """An attribute of an array, or of a number, which is an array without axes as in numpy."""
    is_number = isinstance(value, Scalar)
    dims = () if isinstance(value, Scalar) else value.dims
    if attr == "shape":
        return Tuple(tuple(integer(size) for size in dims))
    if attr == "ndim":
        return literal(len(dims))
    if attr == "size":
        return integer(reshaping.product(t, dims))
    if attr == "T":
        return value if is_number else axes.transpose(t, value, Opaque(None))
    if attr == "mT":
        return t.call(lang.OPERATORS["matrix_transpose"], [value])
    if attr == "dtype":
        return Opaque(value.dtype)
    if attr in METHODS:
        return Method(lang.NUMPY.get(attr) or lang.OPERATORS[attr], value)
    raise t.error(f"{'numbers' if is_number else 'arrays'} have no attribute '{attr}'", _instead_of_attribute(attr))


def _instead_of_attribute(attr: str) -> str:
    if attr in ATTRIBUTES:
        return f"write {ATTRIBUTES[attr]}"
    if attr in lang.OPERATORS:
        return f"write tl.{attr}(x)"
    near = nearest(attr, [*PROPERTIES, *METHODS], CLOSE)
    return f"did you mean '{near}'?" if near else f"use {', '.join([*PROPERTIES, *METHODS])}, or tl functions"


def length(t: Translator, x: Value) -> Scalar:
    """`len(x)` of an array, a tuple, a list or a dict."""
    if isinstance(x, Tuple) or (isinstance(x, Record) and x.node.kind == DICT):
        return literal(len(x.items))
    if isinstance(x, Scalar):
        raise t.error("a scalar has no length", "use an array or a tuple", TypeMismatch)
    return integer(t.array(x).dims[0])
