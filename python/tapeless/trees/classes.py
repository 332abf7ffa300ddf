"""Attributes of classes that functions of the language read, and names that tell classes apart."""

from __future__ import annotations

import dataclasses
import sys
from types import FunctionType
from typing import Any

import numpy as np

from tapeless.trees.nodes import LANGUAGE


def class_attributes(cls: type) -> dict[str, Any]:
    """Attributes of a class that functions of the language can read: methods, properties, constants, defaults."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        own = vars(base) if base.__module__ != "builtins" else {}
        found |= {name: value for name, value in own.items() if _is_readable(name, value)}
    if dataclasses.is_dataclass(cls):
        found |= {each.name: each.default for each in dataclasses.fields(cls) if _is_readable(each.name, each.default)}
    return found | getattr(cls, "_field_defaults", {})


def _is_readable(name: str, value: Any) -> bool:
    if hasattr(type(value), LANGUAGE) or (isinstance(value, FunctionType) and name == "__call__"):
        return True
    if isinstance(value, (FunctionType, property)) and not name.startswith("__"):
        return True
    is_constant = isinstance(value, (bool, int, float, str, np.generic, np.ndarray, tuple, type(None)))
    return is_constant and not (name.startswith("__") and name.endswith("__"))


def class_name(cls: type | None) -> str:
    """A name that tells a class from others, also from those that no other process could find."""
    if cls is None:
        return ""
    return f"{cls.__module__}.{cls.__qualname__}{'' if is_found(cls) else f' {id(cls)}'}"


def is_found(cls: type) -> bool:
    """Whether another process finds a class by its name."""
    place: Any = sys.modules.get(cls.__module__)
    for name in cls.__qualname__.split("."):
        place = getattr(place, name, None)
    return place is cls
