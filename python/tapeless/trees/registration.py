"""Classes that users make structures."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.tracebacks import user_facing
from tapeless.trees.nodes import REGISTERED, Node
from tapeless.trees.objects import OPENERS, Flatten, Parts, Unflatten, attributes_of, closed, openers_found, registry
from tapeless.trees.walks import described


@user_facing
def register(cls: type, flatten: Flatten, unflatten: Unflatten) -> type:
    """Has objects of a class be structures: arguments, results, and gradients.

    `flatten(x)` gives the parts (numbers, arrays and structures of them) and what else makes up the object, which must
    be hashable: a version is compiled for each. `unflatten(rest, parts)` makes an object of them, also of derivatives.

    >>> class Line:
    ...     def __init__(self, slope, start):
    ...         self.slope, self.start = slope, start
    >>> _ = tl.register(Line, lambda line: ((line.slope, line.start), None), lambda _, parts: Line(*parts))
    >>> tl.grad(lambda line, x: line.slope * x + line.start)(Line(2.0, 1.0), 5.0).slope
    5.0
    """
    if not isinstance(cls, type):
        raise ArgumentError(f"tl.register takes a class, not {cls!r}; write tl.register(C, flatten, unflatten)")
    if cls in OPENERS or issubclass(cls, (np.ndarray, np.generic, int, float, str)):
        raise ArgumentError(f"{cls.__name__} means something already; register a class of your own")
    if not (callable(flatten) and callable(unflatten)):
        raise ArgumentError("tl.register takes two functions; give flatten(x) -> (parts, rest), unflatten(rest, parts)")

    def open_registered(value: Any) -> Parts:
        return _flattened(cls, flatten, value)

    registry[cls] = (flatten, unflatten)
    openers_found[cls] = open_registered
    return cls


def _flattened(cls: type, flatten: Flatten, value: Any) -> Parts:
    result = flatten(value)
    if not isinstance(result, tuple) or len(result) != 2:
        raise TypeMismatch(
            f"flatten of {cls.__name__} gives {described(result)}; return (parts, rest), where parts is a tuple"
        )
    parts, rest = tuple(result[0]), result[1]
    try:
        hash(rest)
    except TypeError:
        raise TypeMismatch(
            f"flatten of {cls.__name__} gives {described(rest)} as what is no part, which has no hash; "
            "make it a tuple or a string, and arrays parts"
        ) from None
    return Node(REGISTERED, (), cls, rest), parts


def is_registered(cls: type) -> bool:
    """Whether a class was given to `register` in this process."""
    return cls in registry


def flatten_of(cls: type) -> Flatten | None:
    """The function that takes objects of a registered class apart."""
    return registry[cls][0] if cls in registry else None


@dataclass(frozen=True, slots=True)
class Part:
    """Stands for a part of a structure in an object that shows where its class keeps it."""

    position: int


def shown_parts(node: Node, count: int) -> dict[str, Any]:
    """The attributes of an object of a registered class, with `Part(k)` where the k-th part is."""
    try:
        return attributes_of(closed(node, [Part(k) for k in range(count)]))
    except Exception:  # whatever unflatten raises for what is no number or array
        return {}
