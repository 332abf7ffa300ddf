"""Functions derived from others, made once for every function and choice of options."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tapeless import lang
from tapeless.api.decorated import TapelessFunction
from tapeless.api.function import function
from tapeless.api.held import about_held, called, held_by
from tapeless.api.holding import Holding
from tapeless.api.pickling import Recipe
from tapeless.errors import ArgumentError
from tapeless.frontend.syntax.source import Source
from tapeless.frontend.syntax.synthetic import synthetic
from tapeless.lang import Operator
from tapeless.signature import REQUIRED, Parameter
from tapeless.trees import read


def as_function(kind: str, value: Any) -> TapelessFunction:
    """The subject of a transformation: a function of the language, anything that can be called, or an operator."""
    operator = lang.meaning(value)
    if operator is not None:
        return _operator_function(kind, operator)
    value = called(value)
    is_function = isinstance(value, TapelessFunction) or hasattr(value, "__code__") or held_by(value) is not None
    if not callable(value) or not is_function:
        raise ArgumentError(f"tl.{kind} takes a function, not {value!r}; write tl.{kind}(f)")
    return function(value)


def derive(
    f: TapelessFunction,
    name: str,
    expression: str,
    parameters: Sequence[Parameter],
    captured: Mapping[str, Any],
    title: str | None = None,
) -> TapelessFunction:
    """The function of some parameters that returns an expression about `f`, which it calls `f`.

    `title` is what messages call it, where it is no transformation of `f`.
    """
    parameters = _distinct(parameters)
    key = (name, expression, tuple((each.name, each.type) for each in parameters), read(dict(captured), "", _kept))
    title = title or f"{name}_{f.source.name}"
    recipe = Recipe(derive, (f, name, expression, parameters, captured, title))
    if isinstance(f, Holding):
        known = f.whole.derived
        if key not in known:
            source = about_held(title, expression, parameters, captured, f.source, f.whole.source.parameters[0].name)
            known[key] = TapelessFunction(source, f.options)
        return Holding(f.as_partial, known[key], recipe)
    if key not in f.derived:
        source = synthetic(title, expression, parameters, {**captured, "f": f}, f.source)
        f.derived[key] = TapelessFunction(source, f.options, recipe)
    return f.derived[key]


def _kept(value: Any, _name: str) -> Any:
    return value


def applied(
    kind: Callable[..., Any], f: TapelessFunction, parameters: Sequence[Parameter], **options: Any
) -> TapelessFunction:
    """`kind(f, options)` as a function of parameters."""
    name = kind.__name__
    written = ", ".join(f"{option}={option}" for option in options)
    return derive(f, name, f"{name}(f, {written})({passed(parameters)})", parameters, {name: kind, **options})


def _distinct(parameters: Sequence[Parameter]) -> list[Parameter]:
    """Parameters of different names: further ones of a name are numbered."""
    made: dict[str, Parameter] = {}
    for parameter in parameters:
        name, number = parameter.name, 1
        while name in made:
            number += 1
            name = f"{parameter.name} ({number})"
        made[name] = replace(parameter, name=name)
    return list(made.values())


def passed(parameters: Sequence[Parameter]) -> str:
    """The arguments of a call that passes on parameters `p0, p1, ...`."""
    return ", ".join(
        f"{parameter.name}=p{position}" if parameter.keyword_only else f"p{position}"
        for position, parameter in enumerate(parameters)
    )


_operator_functions: dict[str, TapelessFunction] = {}


def _operator_function(kind: str, operator: Operator) -> TapelessFunction:
    """An operator as a function of the arguments it needs."""
    known = _operator_functions.get(operator.key)
    if known is None:
        given = list(operator.__signature__.parameters.values())
        if any(each.kind is each.VAR_POSITIONAL for each in given):
            raise ArgumentError(
                f"tl.{kind} of {operator!r}, whose number of arguments is not fixed; write tl.{kind}(lambda x: ...)"
            )
        parameters = [Parameter(each.name, None, REQUIRED) for each in given if each.default is REQUIRED]
        made = synthetic(operator.__name__, f"f({passed(parameters)})", parameters, {"f": operator}, _model(operator))
        recipe = Recipe(as_function, (kind, operator))
        known = _operator_functions[operator.key] = TapelessFunction(made, recipe=recipe)
    return known


def _model(operator: Operator) -> Source:
    node = ast.parse("lambda: 0", mode="eval").body
    assert isinstance(node, ast.Lambda)
    return Source(operator.__name__, f"<{operator!r}>", [f"{operator!r}"], node, (), None, operator)
