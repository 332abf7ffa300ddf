"""Expressions: one evaluator per kind of syntax node."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from tapeless import lang
from tapeless.errors import TypeMismatch
from tapeless.frontend import callables, choices, indexing, operators, shaping, syntax
from tapeless.frontend.capture import captured_value
from tapeless.frontend.frame import Binding, Delayed, Unbound
from tapeless.frontend.values import (
    Array,
    Method,
    Number,
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
]
_SPREAD = {"reshape": "shape", "transpose": "axes"}


def constant(t: Translator, node: ast.Constant) -> Value:
    value = node.value
    if isinstance(value, (str, type(None), type(...))):
        return Opaque(value)
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise t.error(f"the integer {value} does not fit into 64 bits", "write it as a float")
    return literal(value)


def name(t: Translator, node: ast.Name) -> Value:
    frame = t.frame.find(node.id)
    if frame is None:
        return _outside(t, node.id)
    binding = frame.names.get(node.id)
    if isinstance(binding, Delayed):
        binding = binding.compute()
        if frame is t.frame:
            frame.names[node.id] = binding
    return _bound(t, node.id, binding)


def _bound(t: Translator, identifier: str, binding: Binding | None) -> Value:
    if binding is None:
        raise t.error(f"'{identifier}' is read before it has a value", "assign it on every path that leads here")
    if isinstance(binding, Unbound):
        raise t.error(binding.reason, binding.instead)
    return binding


def _outside(t: Translator, identifier: str) -> Value:
    try:
        value = t.frame.source.lookup(identifier)
    except KeyError:
        raise t.error(
            f"'{identifier}' is not defined", "define it before the function, or pass it as an argument"
        ) from None
    return captured_value(t, value, identifier)


def binary(t: Translator, node: ast.BinOp) -> Number:
    left = t.number(t.evaluate(node.left), "the left operand")
    right = t.number(t.evaluate(node.right), "the right operand")
    return operators.combine(t, node.op, left, right)


def unary(t: Translator, node: ast.UnaryOp) -> Number:
    value = t.evaluate(node.operand)
    if isinstance(node.op, ast.Not):
        return _negation(t, value)
    number = t.number(value)
    if isinstance(node.op, ast.USub):
        return operators.negate(t, number)
    return number if isinstance(node.op, ast.UAdd) else operators.invert(t, number)


def _negation(t: Translator, value: Value) -> Scalar:
    condition = t.truth(value)
    if isinstance(condition, bool):
        return literal(not condition)
    return operators.logical_not(t, value)


def comparison(t: Translator, node: ast.Compare) -> Number:
    """Comparisons; a chain is the conjunction of its links."""
    operands = [t.number(t.evaluate(each)) for each in (node.left, *node.comparators)]
    links = [
        operators.compare(t, type(kind), left, right)
        for kind, left, right in zip(node.ops, operands, operands[1:], strict=False)
    ]
    if len(links) > 1 and not all(isinstance(link, Scalar) for link in links):
        raise t.error("chained comparisons of arrays", "write (a < b) & (b < c)", TypeMismatch)
    result = links[0]
    for link in links[1:]:
        result = operators.conjunction(t, result, link)
    return result


def tuple_(t: Translator, node: ast.Tuple) -> Tuple:
    return Tuple(tuple(t.evaluate(element) for element in node.elts))


def function(t: Translator, node: ast.Lambda) -> Value:
    return callables.closure(t, node)


def attribute(t: Translator, node: ast.Attribute) -> Value:
    dotted = syntax.dotted_name(node)
    if dotted and t.frame.find(dotted.split(".")[0]) is None:
        return _module_attribute(t, node, dotted)
    value = t.evaluate(node.value)
    if isinstance(value, (Array, Pending)):
        return _array_attribute(t, node.attr, value)
    raise t.error(f"{describe(value)} has no attribute '{node.attr}'", "use x.shape, x.ndim, x.size, x.T on arrays")


def _module_attribute(t: Translator, node: ast.Attribute, dotted: str) -> Value:
    try:
        return captured_value(t, t.frame.source.lookup(dotted), dotted)
    except KeyError:
        base = t.evaluate(node.value)
    if isinstance(base, (Array, Pending)):
        return _array_attribute(t, node.attr, base)
    raise t.error(f"'{dotted}' is not defined", "use a name that exists when the function is decorated")


def _array_attribute(t: Translator, attr: str, value: Array | Pending) -> Value:
    if attr == "shape":
        return Tuple(tuple(integer(size) for size in value.dims))
    if attr == "ndim":
        return literal(value.rank)
    if attr == "size":
        return integer(shaping.product(t, value.dims))
    if attr == "T":
        return shaping.transpose(t, value, Opaque(None))
    if attr == "dtype":
        return Opaque(value.dtype)
    if attr in METHODS:
        return Method(lang.OPERATORS[attr], value)
    raise t.error(
        f"arrays have no attribute '{attr}'", f"use shape, ndim, size, T, dtype, {', '.join(METHODS)}, or tl functions"
    )


def call(t: Translator, node: ast.Call) -> Value:
    target = t.evaluate(node.func)
    arguments = [t.evaluate(each) for each in node.args]
    keywords = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            raise t.error("'**' unpacking is not supported", "write the arguments out")
        keywords[keyword.arg] = t.evaluate(keyword.value)
    if isinstance(target, Method):
        return _call_method(t, target, arguments, keywords)
    return callables.call(t, target, arguments, keywords)


def _call_method(t: Translator, method: Method, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    """`x.sum(axis=0)` is `tl.sum(x, axis=0)`; `x.reshape(2, 3)` takes its sizes one by one too."""
    if method.operator.__name__ in _SPREAD and len(arguments) > 1:
        arguments = [Tuple(tuple(arguments))]
    return callables.call(t, method.operator, [method.array, *arguments], keywords)


EVALUATORS: dict[type[ast.expr], Callable[[Translator, ast.expr], Value]] = {
    ast.Constant: constant,
    ast.Name: name,
    ast.BinOp: binary,
    ast.UnaryOp: unary,
    ast.BoolOp: choices.boolean,
    ast.Compare: comparison,
    ast.IfExp: choices.conditional,
    ast.Tuple: tuple_,
    ast.Lambda: function,
    ast.Attribute: attribute,
    ast.Call: call,
    ast.Subscript: indexing.read,
}
