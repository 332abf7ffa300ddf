"""Errors for users end at the user's own line: frames below it in this package are left out of tracebacks.

`TAPELESS_TRACEBACK=full` in the environment keeps every frame.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from types import TracebackType
from typing import ParamSpec, TypeVar

from tapeless.errors import InternalError, TapelessError

VARIABLE, FULL = "TAPELESS_TRACEBACK", "full"
# What is raised for users; MemoryError says which array of theirs was too large.
FOR_USERS = (TapelessError, MemoryError)
PACKAGE = __name__.partition(".")[0]

P = ParamSpec("P")
R = TypeVar("R")


def user_facing(function: Callable[P, R]) -> Callable[P, R]:
    """A function that users call, whose errors show their call and none of the frames below it."""

    @functools.wraps(function)
    def called_by_user(*arguments: P.args, **named: P.kwargs) -> R:
        try:
            return function(*arguments, **named)
        except FOR_USERS as error:
            hide_frames(error)
            raise

    return called_by_user


def hide_frames(error: BaseException) -> None:
    """Drops the frames of an error caught in a function that the user calls; follow it by a bare `raise`.

    That adds the frames of the callers alone, since Python adds none for the function that raises again. What the error
    came from goes as well, unless it is the user's; a fault of this package keeps its cause with all frames.
    """
    if os.environ.get(VARIABLE) == FULL:
        return
    error.__traceback__ = None
    if _never_left(error.__context__):
        error.__suppress_context__ = True
    if not isinstance(error, InternalError) and _never_left(error.__cause__):
        error.__cause__ = None


def hide_own_frames(error: BaseException) -> None:
    """Drops the frames of this package from an error, and keeps those of the user's functions that it ran."""
    if os.environ.get(VARIABLE) == FULL:
        return
    kept: list[TracebackType] = []
    frames = error.__traceback__
    while frames is not None:
        if not _is_own(frames.tb_frame.f_globals.get("__name__")):
            kept.append(frames)
        frames = frames.tb_next
    shown: TracebackType | None = None
    for each in reversed(kept):
        shown = TracebackType(shown, each.tb_frame, each.tb_lasti, each.tb_lineno)
    hide_frames(error)
    error.__traceback__ = shown


def level_of_user() -> int:
    """The `stacklevel` with which the caller's warning points at the innermost line outside of this package."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and _is_own(frame.f_globals.get("__name__")):
        frame, level = frame.f_back, level + 1
    return level


def _never_left(error: BaseException | None) -> bool:
    """Whether an exception was raised and caught in this package: its outermost frame is one of ours."""
    if error is None or error.__traceback__ is None:
        return False
    return _is_own(error.__traceback__.tb_frame.f_globals.get("__name__"))


def _is_own(module: object) -> bool:
    return str(module).partition(".")[0] == PACKAGE
