"""Functions go to other processes by their name, as those of Python do, or by how they were made of others."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, NamedTuple

from tapeless.errors import NotPicklable


class Recipe(NamedTuple):
    """How a function was made: a callable and its arguments, both of which are pickled in turn."""

    make: Callable[..., Any]
    arguments: tuple[Any, ...]


def reduced(f: Any, function: Callable[..., Any], recipe: Recipe | None) -> str | Recipe:
    """The pickled form of `f`, which was read from a Python function; raises NotPicklable if there is none."""
    known, by_value = _found(function), _takes_functions_by_value()
    if known is f and not (by_value and function.__module__ == "__main__"):
        return function.__qualname__
    if recipe is None:
        raise NotPicklable(f"{f!r} cannot be pickled by itself; {_INSTEAD}")
    if any(each is function for each in recipe.arguments) and known is not function and not by_value:
        raise NotPicklable(f"{f!r} cannot be pickled: {_reason(function, known)}; {_INSTEAD}")
    return recipe


_INSTEAD = (
    "write it as a def at the top level of a module, use cloudpickle, "
    "or pickle the kernel that tl.compile(f, types) gives"
)


def _takes_functions_by_value() -> bool:
    """Whether the pickler at work does: those of cloudpickle say so themselves."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        pickler = frame.f_locals.get("self")
        if isinstance(pickler, pickle.Pickler) and hasattr(type(pickler), "reducer_override"):
            return True
        frame = frame.f_back
    return False


def _found(function: Callable[..., Any]) -> Any:
    """The object of a Python function's name in its module, or None."""
    place: Any = sys.modules.get(function.__module__)
    for name in function.__qualname__.split("."):
        place = getattr(place, name, None)
    return place


def _reason(function: Callable[..., Any], known: Any) -> str:
    if function.__name__ == "<lambda>":
        return "a lambda has no name by which another process finds it"
    if known is None:
        return f"{function.__module__} has no '{function.__qualname__}' by which another process finds it"
    return f"'{function.__qualname__}' of {function.__module__} is another object, {known!r}"
