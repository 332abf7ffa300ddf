"""The arguments of a call of a function value, by parameter, and which of them `argnums` selects."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ArgumentError
from tapeless.frontend.calls import annotated
from tapeless.frontend.structures.attributes import call_method
from tapeless.frontend.syntax.procedures import Procedure
from tapeless.frontend.transforms.titles import symbol_of
from tapeless.frontend.values import binding
from tapeless.frontend.values.capture import captured_value
from tapeless.frontend.values.value import (
    Checkpointed,
    Closure,
    Component,
    Decorated,
    Record,
    Transform,
    Value,
)
from tapeless.lang import Operator
from tapeless.number_types import read_as
from tapeless.signature import REQUIRED, Parameter
from tapeless.trees import METHOD, PARTIAL

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

Argnums = int | str | tuple[int | str, ...]


@dataclass(frozen=True)
class Signature:
    """The parameters of a function value: names, those only given by name, defaults, and as they are annotated."""

    title: str
    names: tuple[str, ...]
    keyword_only: frozenset[str] = frozenset()
    defaults: Mapping[str, Value] | None = None
    parameters: Mapping[str, Parameter] | None = None


@dataclass(frozen=True)
class Arguments:
    """One value per parameter, in order: those in `by_name` are passed by name, those not `given` are defaults."""

    values: dict[str, Value]
    by_name: frozenset[str]
    title: str
    given: frozenset[str]

    def call(self, t: Translator, function: Value, values: Sequence[Value]) -> Value:
        """The function of other values for the same parameters."""
        pairs = list(zip(self.values, values, strict=True))
        positional = [value for name, value in pairs if name not in self.by_name]
        return t.call(function, positional, {name: value for name, value in pairs if name in self.by_name})

    def select(self, t: Translator, argnum: int | str) -> int:
        """The position of the argument that an entry of `argnums` names."""
        names = list(self.values)
        if isinstance(argnum, str):
            if argnum in names:
                return names.index(argnum)
            raise t.error(
                f"argnums names '{argnum}', which is no parameter of {self.title}",
                f"its parameters: {', '.join(names)}",
                ArgumentError,
            )
        if not -len(names) <= argnum < len(names):
            raise t.error(
                f"argnums={argnum}, and {self.title} has {len(names)} arguments", "count from 0", ArgumentError
            )
        return argnum % len(names)


def bind(
    t: Translator, function: Value, arguments: Sequence[Value], keywords: Mapping[str, Value], *, converted: bool = True
) -> Arguments:
    """Arguments by parameter; `converted` to the annotated types where there are some."""
    signature = signature_of(t, function)
    if signature is None:
        numbered = {f"argument {position}": value for position, value in enumerate(arguments)}
        values = numbered | dict(keywords)
        return Arguments(values, frozenset(keywords), f"'{symbol_of(function)}'", frozenset(values))
    positional = [name for name in signature.names if name not in signature.keyword_only]
    defaults = signature.defaults or {}
    bound = binding.bind(t, signature.title, positional, signature.names, defaults, arguments, keywords)
    held = {name: t.held(value) for name, value in bound.items()}
    if converted and signature.parameters:
        held = {name: annotated.as_parameter(t, signature.parameters[name], value) for name, value in held.items()}
    given = frozenset((*positional[: len(arguments)], *keywords))
    return Arguments(held, signature.keyword_only, signature.title, given)


def signature_of(t: Translator, function: Value) -> Signature | None:
    """The parameters of a function value; None when their number is not fixed."""
    if isinstance(function, (Decorated, Procedure)):
        return _of_source(t, function)
    if isinstance(function, Component):
        return _of_source(t, function.procedure)
    if isinstance(function, Closure):
        node = function.node.args
        keyword_only = [each.arg for each in node.kwonlyargs]
        names = [each.arg for each in (*node.posonlyargs, *node.args)]
        title = getattr(function.node, "name", "the lambda")
        return Signature(title, (*names, *keyword_only), frozenset(keyword_only), dict(function.defaults))
    if isinstance(function, Operator):
        return _of_operator(function)
    if isinstance(function, Record):
        return _of_structure(t, function)
    if isinstance(function, (Checkpointed, Transform)):
        return signature_of(t, function.function)
    return None


def _of_source(t: Translator, function: Decorated | Procedure) -> Signature:
    parameters = function.source.parameters
    defaults = {
        each.name: captured_value(t, each.default, each.name) for each in parameters if each.default is not REQUIRED
    }
    return Signature(
        f"'{function.source.name}'",
        tuple(each.name for each in parameters),
        frozenset(each.name for each in parameters if each.keyword_only),
        defaults,
        {each.name: each if each.type is None else replace(each, type=read_as(each.type)) for each in parameters},
    )


def _of_structure(t: Translator, function: Record) -> Signature | None:
    """The parameters that a partial, a method or an object with `__call__` leaves open."""
    kind = function.node.kind
    if kind == PARTIAL:
        inner, given = signature_of(t, function.items[0]), function.node.aux
        held = frozenset(function.node.keys[1 + given :])
    else:
        called = function.items[1] if kind == METHOD else captured_value(t, call_method(function), "__call__")
        inner, given, held = signature_of(t, called), 1, frozenset()
    if inner is None:
        return None
    positional = [name for name in inner.names if name not in inner.keyword_only]
    gone = {*positional[:given], *held}
    names = tuple(name for name in inner.names if name not in gone)
    return replace(inner, names=names, keyword_only=inner.keyword_only - gone)


def _of_operator(operator: Operator) -> Signature | None:
    parameters = operator.__signature__.parameters.values()
    if any(
        each.default is not REQUIRED or each.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD for each in parameters
    ):
        return None
    return Signature(repr(operator), tuple(each.name for each in parameters))
