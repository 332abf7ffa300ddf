"""Every error a user can meet, one class per thing they can do about it."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any


class TapelessError(Exception):
    """Base of all errors of Tapeless; `diagnostics` holds what a pass has to say about places in the source."""

    diagnostics: Sequence[Any] = ()


class FrontendError(TapelessError):
    """The source uses something the language does not have; the message shows file, line, excerpt and caret."""


class NotReversible(FrontendError):
    """A statement of a reversible procedure has no inverse."""


class TypeMismatch(FrontendError, TypeError):
    """Types or ranks do not fit together."""


class ShapeMismatch(FrontendError, ValueError):
    """Sizes do not fit together."""


class ArgumentError(TapelessError, ValueError):
    """A call has the wrong number of arguments, an unknown method or target, or a loss that is not a scalar."""


class ConversionError(ArgumentError):
    """A float that is no integer of 64 bits, such as NaN or an infinity, was converted to one."""


class NotPicklable(ArgumentError, pickle.PicklingError):
    """A function cannot be found again in another process: it is a lambda, or defined inside another function."""


class NoRuleError(TapelessError):
    """An operation has no derivative rule."""


class GradientMismatch(TapelessError, AssertionError):
    """A derivative disagrees with central differences in `tl.check_grads`."""


class CheckFailed(TapelessError, AssertionError):
    """An `assert` of the program did not hold."""


class InvertibilityError(TapelessError):
    """A reversible procedure failed one of its run-time checks."""


class RecursionTooDeep(InvertibilityError, RecursionError):
    """Calls of a recursive procedure are nested so deeply that the stack of the thread is full."""


class IndexOutOfRange(TapelessError, IndexError):
    """An element index lies outside its array."""


class PipelineError(TapelessError):
    """A pass pipeline is malformed, or a pass of it failed."""


class TargetError(TapelessError):
    """The target is unknown or cannot run here."""


class BundleError(TapelessError):
    """A saved kernel is damaged, of another version, or for another machine."""


class InternalError(TapelessError):
    """A fault of Tapeless itself, with the exception that showed it as its cause.

    `stage` is what was at work (a pass, the frontend, the code generator), and `reproducer` the file that
    `tapeless-opt --run-reproducer` takes, if one could be written.
    """

    stage: str = ""
    reproducer: Path | None = None
