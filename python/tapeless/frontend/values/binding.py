"""Arguments of a call given to parameters, by Python's rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tapeless.errors import ArgumentError
from tapeless.frontend.values.value import Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


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
