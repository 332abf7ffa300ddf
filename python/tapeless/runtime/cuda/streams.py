"""Streams as callers name them, and the one that a library has its threads work on."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from typing import Any, Final

from tapeless.errors import ArgumentError

LEGACY: Final = 1  # the default stream, which others wait for
FORMS: Final = "an integer handle or an object with 'cuda_stream', 'ptr' or '__cuda_stream__'"


def handle_of(stream: Any) -> int:
    """The driver's handle of a stream; 0 is another name of the default stream."""
    handle = stream if type(stream) is int else _number_of(stream)
    if handle is None or handle < 0:
        raise ArgumentError(f"stream={stream!r} is no stream; pass {FORMS}")
    return handle or LEGACY


def _number_of(stream: Any) -> int | None:
    if isinstance(stream, bool):
        return None
    if hasattr(stream, "__cuda_stream__"):
        found = stream.__cuda_stream__
        _, handle = found() if callable(found) else found
        return operator.index(handle)
    for name in ("cuda_stream", "ptr"):
        if hasattr(stream, name):
            return operator.index(getattr(stream, name))
    try:
        return operator.index(stream)
    except TypeError:
        return None


def _of_torch(number: int) -> Any:
    torch = sys.modules["torch"]
    # What torch's own compiler asks; the public way makes an object of the stream, which takes ten times as long.
    quick = getattr(getattr(torch, "_C", None), "_cuda_getCurrentRawStream", None)
    return torch.cuda.current_stream(number) if quick is None else quick(number)


def _of_cupy(number: int) -> Any:
    return sys.modules["cupy"].cuda.get_current_stream(number)


# The stream of a GPU that a library works on at the moment, in this thread.
CURRENT: dict[str, Callable[[int], Any]] = {"torch": _of_torch, "cupy": _of_cupy}


def current_handle(library: str, number: int) -> int:
    """The driver's handle of the stream that a library works on."""
    return handle_of(CURRENT[library](number))
