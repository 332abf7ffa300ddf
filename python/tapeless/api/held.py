"""Held arguments of functions: partials, methods of objects, and objects that can be called."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from itertools import dropwhile
from types import MethodType
from typing import Any, NamedTuple

from tapeless.errors import ArgumentError
from tapeless.frontend.syntax.source import LIBRARIES, Source
from tapeless.frontend.syntax.synthetic import synthetic
from tapeless.signature import REQUIRED, Parameter
from tapeless.trees import opened


class Held(NamedTuple):
    """The callee, how many positional arguments are held for it, the names of others, and of the held ones."""

    function: Any
    positional: int
    names: frozenset[str]
    title: str


def held_by(value: Any) -> Held | None:
    """The held arguments of a Python object that is a function with some of them; None for any other."""
    if isinstance(value, functools.partial):
        return Held(value.func, len(value.args), frozenset(value.keywords), "partial")
    if isinstance(value, MethodType):
        return Held(value.__func__, 1, frozenset(), "self")
    if isinstance(value, type) or not callable(value) or opened(value) is None:
        return None
    definer = next(base for base in type(value).__mro__ if "__call__" in vars(base))
    return Held(vars(definer)["__call__"], 1, frozenset(), "self")


def called(value: Any) -> Any:
    """The bound method `__call__` of an object whose class has a plain one; else the object itself."""
    method = getattr(value, "__call__", None)  # noqa: B004
    is_own = isinstance(method, MethodType) and type(value).__module__.partition(".")[0] not in LIBRARIES
    return method if is_own and opened(value) is None else value


def with_held(held: Held, inner: Source) -> Source:
    """The function of the held values and of the remaining parameters of `inner`, the callee."""
    positional = [each for each in inner.parameters if not each.keyword_only]
    if held.positional > len(positional):
        raise ArgumentError(
            f"{inner.name}() takes {len(positional)} positional arguments, and {held.positional} are held; hold fewer"
        )
    gone = {*(each.name for each in positional[: held.positional]), *held.names}
    left = [each for each in inner.parameters if each.name not in gone]
    # As for functools.partial, what comes after a parameter that is held by name is passed by name.
    behind = dropwhile(lambda each: each.name not in held.names, inner.parameters)
    by_name = {each.name for each in (*behind, *(each for each in left if each.keyword_only))}
    passed = ", ".join(f"{each.name}=p{k}" if each.name in by_name else f"p{k}" for k, each in enumerate(left))
    return about_held(inner.name, f"f({passed})", left, {}, inner, held.title)


def about_held(
    name: str, expression: str, parameters: Sequence[Parameter], captured: Any, model: Source, title: str
) -> Source:
    """The function of the held values and of parameters that returns an expression, which calls the former `f`."""
    while any(each.name == title for each in parameters):
        title += "_"
    by_position = [replace(each, keyword_only=False) for each in parameters]
    return synthetic(name, expression, by_position, captured, model, Parameter(title, None, REQUIRED))
