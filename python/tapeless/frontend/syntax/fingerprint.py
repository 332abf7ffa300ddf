"""A digest of everything the meaning of a function depends on, for caches; needs no MLIR."""

from __future__ import annotations

import ast
import hashlib
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from tapeless import lang
from tapeless.errors import TapelessError
from tapeless.frontend.syntax.code_digest import making
from tapeless.frontend.syntax.imported import Imported
from tapeless.trees import (
    FIELDS,
    HELD,
    REGISTERED,
    Node,
    Unusable,
    check_depth,
    class_attributes,
    class_name,
    opened,
    shown_parts,
)
from tapeless.types import ArrayType, ScalarType

if TYPE_CHECKING:
    from tapeless.frontend.syntax.source import Source


class Seen:
    """Objects that a digest has, numbered in the order in which they came; later on their numbers stand for them.

    They are kept alive: an object that is gone may leave its identity to another one.
    """

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._kept: list[object] = []

    def number(self, value: object) -> int | None:
        """The number of an object; nothing, and a number from now on, where it is new."""
        if id(value) in self._numbers:
            return self._numbers[id(value)]
        self._numbers[id(value)] = len(self._kept)
        self._kept.append(value)
        return None


def of(source: Source) -> str:
    """The digest of a source, of its captured values and of every function it can call."""
    digest = hashlib.sha256()
    add_source(digest, source, Seen())
    return digest.hexdigest()


def add_source(digest: Any, source: Source, seen: Seen) -> None:
    """Adds a source with its captured values."""
    if (number := seen.number(source)) is not None:
        add(digest, "seen", number)
        return
    source.capture_rest()
    add(digest, "source", source.file, source.line, source.name, _text(source))
    for parameter in source.parameters:
        add(digest, "parameter", parameter.name, parameter.type, parameter.is_read_only)
        add(digest, "layout", parameter.layout)
        add_value(digest, source, parameter.default, seen)
    add(digest, "returns", source.returns)
    if source.rules is not None:
        add(digest, "rules", len(source.rules.sources))
        for rule in source.rules.sources:
            add_source(digest, rule, seen)
    for name in sorted(source.captured):
        add(digest, "captured", name)
        add_value(digest, source, source.captured[name], seen)


def add_node(digest: Any, reader: Source, node: Node, count: int, seen: Seen) -> None:
    """Adds a structure without its parts, and the attributes of its class that functions can read."""
    add(digest, "structure", node.kind, node.keys, repr(node.aux), count)
    if node.cls is not None:
        _add_class(digest, reader, node.cls, seen)
    if node.kind == FIELDS and node.cls is not None:
        add(digest, "making", *making(node.cls))  # `dataclasses.replace` makes another one
    if node.kind == REGISTERED:
        add(digest, sorted((name, repr(value)) for name, value in shown_parts(node, count).items()))


def _add_class(digest: Any, reader: Source, cls: type, seen: Seen) -> None:
    """A class by its name, the functions of the language among its methods, its constants and defaults."""
    add(digest, "class", class_name(cls))
    if (number := seen.number(cls)) is not None:
        add(digest, "seen", number)
        return
    for name, value in sorted(class_attributes(cls).items()):
        add(digest, "attribute", name)
        _add_part(digest, reader, value.fget if isinstance(value, property) else value, seen)


def _text(source: Source) -> str:
    node = source.node
    return ast.dump(node) + "".join(source.lines[node.lineno - 1 : node.end_lineno])


def add_value(digest: Any, reader: Source, value: Any, seen: Seen, above: tuple[int, ...] = ()) -> None:
    """A Python object that a function reads; `above` are the identities of the structures it is part of."""
    if not hasattr(value, HELD) and (called := reader.called(value)) is not None:
        add_source(digest, called, seen)
    elif isinstance(value, Node):
        add_node(digest, reader, value, len(value.keys), seen)
    elif isinstance(value, np.ndarray):
        add(digest, "array", value.dtype.str, value.shape)
        digest.update(value.tobytes())
    elif (parts := opened(value)) is not None:
        check_depth(value, "what is captured", above)
        add_node(digest, reader, parts[0], len(parts[1]), seen)
        for item in parts[1]:
            _add_part(digest, reader, item, seen, (*above, id(value)))
    elif isinstance(value, Imported):
        add(digest, "imported", value.digest)
    elif isinstance(value, (bool, int, float, str, np.generic, ScalarType, ArrayType, Unusable)):
        add(digest, type(value).__name__, repr(value))
    elif isinstance(value, type) and lang.meaning(value) is None:
        _add_class(digest, reader, value, seen)
        add(digest, "making", *making(value))
    else:
        add(digest, "other", _identity(value))


def _add_part(digest: Any, reader: Source, value: Any, seen: Seen, above: tuple[int, ...] = ()) -> None:
    """A part of a structure, which may be a function that means nothing in the language and is not called."""
    try:
        add_value(digest, reader, value, seen, above)
    except TapelessError:
        add(digest, "unusable", _identity(value))


def _identity(value: Any) -> str:
    operator = lang.meaning(value)
    if operator is not None:
        return repr(operator)
    if isinstance(value, ModuleType):
        return value.__name__
    return f"{type(value).__module__}.{type(value).__qualname__}.{getattr(value, '__qualname__', '')}"


def add(digest: Any, *parts: Any) -> None:
    """Parts that their texts tell apart."""
    for part in parts:
        digest.update(repr(part).encode())
        digest.update(b"\0")
