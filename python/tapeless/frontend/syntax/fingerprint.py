"""A digest of everything the meaning of a function depends on, for caches; needs no MLIR."""

from __future__ import annotations

import ast
import hashlib
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from tapeless import lang
from tapeless.types import ArrayType, ScalarType

if TYPE_CHECKING:
    from tapeless.frontend.syntax.source import Source


def of(source: Source) -> str:
    """The digest of a source, of what it captures and of every function it can call."""
    digest = hashlib.sha256()
    _add_source(digest, source, set())
    return digest.hexdigest()


def _add_source(digest: Any, source: Source, seen: set[int]) -> None:
    if id(source) in seen:
        _add(digest, "seen", source.name)
        return
    seen.add(id(source))
    source.capture_rest()
    _add(digest, "source", source.file, source.line, source.name, _text(source))
    for parameter in source.parameters:
        _add(digest, "parameter", parameter.name, parameter.type, parameter.is_read_only, parameter.is_weak)
        _add_value(digest, source, parameter.default, seen)
    _add(digest, "returns", source.returns)
    if source.rules is not None:
        _add(digest, "rules", len(source.rules.sources))
        for rule in source.rules.sources:
            _add_source(digest, rule, seen)
    for name in sorted(source.captured):
        _add(digest, "captured", name)
        _add_value(digest, source, source.captured[name], seen)


def _text(source: Source) -> str:
    node = source.node
    return ast.dump(node) + "".join(source.lines[node.lineno - 1 : node.end_lineno])


def _add_value(digest: Any, reader: Source, value: Any, seen: set[int]) -> None:
    if (called := reader.called(value)) is not None:
        _add_source(digest, called, seen)
    elif isinstance(value, np.ndarray):
        _add(digest, "array", value.dtype.str, value.shape)
        digest.update(value.tobytes())
    elif isinstance(value, tuple):
        _add(digest, "tuple", len(value))
        for item in value:
            _add_value(digest, reader, item, seen)
    elif isinstance(value, (bool, int, float, np.generic, ScalarType, ArrayType)):
        _add(digest, type(value).__name__, repr(value))
    else:
        _add(digest, "other", _identity(value))


def _identity(value: Any) -> str:
    operator = lang.meaning(value)
    if operator is not None:
        return repr(operator)
    if isinstance(value, ModuleType):
        return value.__name__
    return f"{type(value).__module__}.{type(value).__qualname__}.{getattr(value, '__qualname__', '')}"


def _add(digest: Any, *parts: Any) -> None:
    for part in parts:
        digest.update(repr(part).encode())
        digest.update(b"\0")
