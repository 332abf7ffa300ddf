"""Calling functions of the program: nested ones inline, decorated ones as functions of the module."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.frontend import calls, joins, specialise
from tapeless.frontend.builder import Scope
from tapeless.frontend.capture import captured_value
from tapeless.frontend.frame import Frame, frame_for
from tapeless.frontend.source import Source
from tapeless.frontend.transforms import table
from tapeless.frontend.values import (
    Array,
    Checkpointed,
    Closure,
    Decorated,
    Pending,
    Pullback,
    Scalar,
    Transform,
    Value,
    describe,
)
from tapeless.lang import Operator
from tapeless.signature import REQUIRED

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def call(
    t: Translator, function: Value, arguments: Sequence[Value], keywords: Mapping[str, Value] | None = None
) -> Value:
    """The result of a function value for argument values."""
    if isinstance(function, Operator):
        return calls.apply_operator(t, function, arguments, keywords or {})
    held = [t.held(argument) for argument in arguments]
    named = {name: t.held(value) for name, value in (keywords or {}).items()}
    if isinstance(function, Closure):
        return _call_closure(t, function, held, named)
    if isinstance(function, Decorated):
        return _call_decorated(t, function.source, held, named)
    if isinstance(function, Checkpointed):
        return _call_checkpointed(t, function.function, held, named)
    if isinstance(function, (Transform, Pullback)):
        return table.call(t, function, held, named)
    raise t.error(
        f"{describe(function)} cannot be called", "call a tl.function, a nested function or a tl operator", TypeMismatch
    )


def symbol_of(function: Value) -> str:
    """A name for functions of the module that are made from a function value."""
    if isinstance(function, Decorated):
        return function.source.name
    if isinstance(function, Closure):
        return getattr(function.node, "name", "lambda")
    if isinstance(function, (Checkpointed, Transform)):
        return symbol_of(function.function)
    return function.__name__ if isinstance(function, Operator) else "pullback"


def _call_checkpointed(
    t: Translator, function: Value, arguments: Sequence[Value], keywords: Mapping[str, Value]
) -> Value:
    """The function inside an `ad.checkpoint`."""
    scope = Scope()
    with t.builder.region(scope=scope) as block:
        result = t.held(call(t, function, arguments, keywords))
    form = joins.form_of(t.builder, result)
    with t.builder.inside(block, scope):
        t.builder.operation("ad.yield", [], joins.flatten(t, result, form))
    operation = t.builder.operation("ad.checkpoint", joins.types(t.builder, form), [], regions=1)
    t.builder.attach(operation, block)
    return joins.rebuild(t, form, iter(list(operation.results)))


def closure(t: Translator, node: ast.FunctionDef | ast.Lambda) -> Closure:
    """A nested function; its defaults are evaluated now."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = list(zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True))
    pairs += [pair for pair in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if pair[1] is not None]
    return Closure(node, t.frame, tuple((each.arg, t.held(t.evaluate(default))) for each, default in pairs))


def _call_closure(t: Translator, function: Closure, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    node = function.node
    positional = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
    names = [*positional, *(each.arg for each in node.args.kwonlyargs)]
    title = getattr(node, "name", "the lambda")
    bound = bind(t, title, positional, names, dict(function.defaults), arguments, keywords)
    return _run_inline(t, frame_for(node, function.frame.source, function.frame), node, bound)


def bind(
    t: Translator,
    title: str,
    positional: Sequence[str],
    names: Sequence[str],
    defaults: Mapping[str, Value],
    arguments: Sequence[Value],
    keywords: Mapping[str, Value],
) -> dict[str, Value]:
    """Parameters to values by Python's rules."""
    if len(arguments) > len(positional):
        raise t.error(
            f"{title} takes {len(positional)} positional arguments, not {len(arguments)}",
            f"its parameters: {', '.join(names)}",
            ArgumentError,
        )
    bound = dict(zip(positional, arguments, strict=False))
    for name, value in keywords.items():
        if name not in names:
            raise t.error(f"{title} has no parameter '{name}'", f"its parameters: {', '.join(names)}", ArgumentError)
        if name in bound:
            raise t.error(f"{title} gets '{name}' twice", "give every argument once", ArgumentError)
        bound[name] = value
    missing = [name for name in names if name not in bound and name not in defaults]
    if missing:
        raise t.error(
            f"{title} lacks the argument '{missing[0]}'", f"its parameters: {', '.join(names)}", ArgumentError
        )
    return {name: bound.get(name, defaults.get(name)) for name in names}


def _run_inline(t: Translator, frame: Frame, node: ast.AST, bound: Mapping[str, Value]) -> Value:
    if node in t.active:
        raise t.error("recursion is not supported", "write a loop")
    frame.names.update(bound)
    saved_frame, saved_node = t.frame, t.node
    t.frame = frame
    t.active.append(node)
    result = t.execute(frame.prepared.body)
    t.active.pop()
    t.frame, t.node = saved_frame, saved_node
    return result


def _call_decorated(t: Translator, source: Source, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    positional = [each.name for each in source.parameters if not each.keyword_only]
    names = [each.name for each in source.parameters]
    defaults = {
        each.name: captured_value(t, each.default, each.name)
        for each in source.parameters
        if each.default is not REQUIRED
    }
    bound = bind(t, f"'{source.name}'", positional, names, defaults, arguments, keywords)
    if all(isinstance(value, (Scalar, Array, Pending)) for value in bound.values()):
        return specialise.call(t, source, [t.held(value) for value in bound.values()])
    if source.rules is not None:
        raise t.error(
            f"'{source.name}' has derivative rules and takes numbers and arrays only",
            "pass the parts of a tuple one by one; use local values of a function inside it",
            TypeMismatch,
        )
    return _run_inline(t, frame_for(source.node, source), source.node, bound)
