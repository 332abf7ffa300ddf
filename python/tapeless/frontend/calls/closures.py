"""Nested functions: made where they are defined, translated again at every call."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tapeless.frontend.calls import recursion
from tapeless.frontend.values import binding
from tapeless.frontend.values.frame import Frame, frame_for
from tapeless.frontend.values.value import Closure, Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def closure(t: Translator, node: ast.FunctionDef | ast.Lambda) -> Closure:
    """A nested function; its defaults are evaluated now."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = list(zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True))
    pairs += [pair for pair in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if pair[1] is not None]
    return Closure(node, t.frame, tuple((each.arg, t.held(t.evaluate(default))) for each, default in pairs))


def call(t: Translator, function: Closure, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """The result of a nested function, translated here."""
    node = function.node
    positional = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
    names = [*positional, *(each.arg for each in node.args.kwonlyargs)]
    title = getattr(node, "name", "the lambda")
    bound = binding.bind(t, title, positional, names, dict(function.defaults), arguments, keywords)
    return run_inline(t, frame_for(node, function.frame.source, function.frame), node, bound)


def run_inline(t: Translator, frame: Frame, node: ast.AST, bound: Mapping[str, Value]) -> Value:
    """The result of a function whose body is translated in place, in a frame of its own."""
    name = getattr(node, "name", "the lambda")
    this = recursion.activation(frame.parent, bound)
    others = [each for active, each in t.active if active is node]
    if this in others:
        raise recursion.refusal(t, name)
    recursion.check_depth(t, name, len(others))
    frame.names.update(bound)
    saved_frame, saved_node = t.frame, t.node
    t.frame = frame
    t.active.append((node, this))
    result = t.result_of_body()
    t.active.pop()
    t.frame, t.node = saved_frame, saved_node
    return result
