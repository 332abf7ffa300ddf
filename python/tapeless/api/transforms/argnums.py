"""Which parameters a transformation differentiates by: indices and names, checked before anything is compiled."""

from __future__ import annotations

from typing import Any

from tapeless.api.decorated import TapelessFunction
from tapeless.errors import ArgumentError
from tapeless.spelling import nearest_or_all

Argnums = int | str | tuple[int | str, ...]


def checked_argnums(f: TapelessFunction, argnums: Argnums, option: str = "argnums") -> Argnums:
    """The value of an option that must name parameters."""
    names = [parameter.name for parameter in f.source.parameters]
    for each in argnums if isinstance(argnums, (tuple, list)) else (argnums,):
        _check(f, each, names, option)
    return tuple(argnums) if isinstance(argnums, list) else argnums


def _check(f: TapelessFunction, argnum: Any, names: list[str], option: str) -> None:
    if isinstance(argnum, str):
        if argnum not in names:
            raise ArgumentError(
                f"{option} names '{argnum}', which is no parameter of {f.source.name}(){nearest_or_all(argnum, names)}"
            )
    elif not isinstance(argnum, int) or isinstance(argnum, bool):
        raise ArgumentError(f"{option}={argnum!r} is no index or name; give an index, a name or a tuple of them")
    elif not -len(names) <= argnum < len(names):
        raise ArgumentError(f"{option}={argnum}, but {f.source.name}() has {len(names)} parameters; count from 0")
