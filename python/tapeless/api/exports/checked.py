"""Requirements on functions for programs of other libraries, and the libraries."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from tapeless.api.decorated import TapelessFunction
from tapeless.api.exports.flat import StandIn, flattened
from tapeless.api.exports.operations import SizeIsData
from tapeless.api.printing import check_kernel
from tapeless.api.transforms.derive import as_function
from tapeless.errors import ArgumentError, TargetError


def exportable(kind: str, f: Any) -> TapelessFunction:
    """A function of the language with its held values as constants; refused if its kernels say more than results."""
    inner = as_function(kind, f).unheld
    check_kernel(inner.source)
    if inner.options.checks == "status":
        raise ArgumentError(f"checks='status' keeps what callers of tl.{kind} could not read; give 'on' or 'off'")
    if inner.options.target != "cpu":
        raise TargetError(f"tl.{kind} takes its target from where arguments lie; leave '{inner.options.target}' out")
    return inner


def library(kind: str, name: str, module: str) -> Any:
    """The module that needs a library, which most programs do not have."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in (name, f"{name}lib"):
            raise
        raise ArgumentError(f"tl.{kind} needs {name}, which is not installed; `pip install {name}`") from None


def constant_paths(f: TapelessFunction, values: Sequence[Any], stand_in: StandIn, error: SizeIsData) -> list[str]:
    """The paths of the integers of Python's that decide about sizes; raises where one of them is an array."""
    given = [each.given for each in flattened(f, values, stand_in).operands]
    decisive = [given[place] for place in error.places]
    if any(type(each.value) is not int for each in decisive):
        raise ArgumentError(*error.args) from None
    return [each.path for each in decisive]
