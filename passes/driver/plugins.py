"""Passes from outside: Python files with `PASSES = [...]`, and modules that other packages name as entry points."""

from __future__ import annotations

import dataclasses
import hashlib
import importlib.util
import inspect
import warnings
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from tapeless.errors import PipelineError
from tapeless.passes.driver.base import Pass
from tapeless.passes.tables import PASSES, PIPELINES

ENTRY_POINTS = "tapeless.passes"
EXAMPLE = "write PASSES = [MyPass], each a frozen dataclass with a name and run(self, module)"


class PluginWarning(UserWarning):
    """An installed package offers passes that cannot be had."""


def load_plugin(path: Path) -> None:
    """Adds the passes of a Python file; raises PipelineError if it is none, fails, or has no passes."""
    spec = importlib.util.spec_from_file_location(_module_name(path), path)
    if path.suffix != ".py" or spec is None or spec.loader is None:
        raise PipelineError(f"'{path}' is no plugin; give a Python file, FILE.py, with PASSES = [...]")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise PipelineError(f"plugin '{path}' failed: {type(error).__name__}: {error}; mend the file") from error
    add_passes(_passes_of(module, str(path)), str(path))


def _module_name(path: Path) -> str:
    return f"tapeless_plugin_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]}"


@cache
def load_installed_plugins() -> None:
    """Adds, once, the passes of installed packages; one that fails is named by a warning, and the others are added."""
    for entry in metadata.entry_points(group=ENTRY_POINTS):
        try:
            found = entry.load()
            passes = found if isinstance(found, (list, tuple)) else _passes_of(found, entry.name)
            add_passes(passes, entry.name)
        except Exception as error:
            message = f"plugin '{entry.name}' ({entry.value}) failed: {type(error).__name__}: {error}"
            warnings.warn(message, PluginWarning, stacklevel=2)


def _passes_of(module: Any, origin: str) -> Sequence[type[Pass]]:
    found = getattr(module, "PASSES", None)
    if not isinstance(found, (list, tuple)):
        raise PipelineError(f"plugin '{origin}' has no list PASSES; {EXAMPLE}")
    return found


def add_passes(passes: Iterable[type[Pass]], origin: str) -> None:
    """Adds passes to the table under their names; raises PipelineError for anything else, or for a taken name."""
    for each in passes:
        _check(each, origin)
        PASSES[each.name] = each


def _check(candidate: Any, origin: str) -> None:
    shown = getattr(candidate, "__name__", repr(candidate))
    if not inspect.isclass(candidate) or not dataclasses.is_dataclass(candidate):
        raise PipelineError(f"plugin '{origin}': {shown} is no pass; {EXAMPLE}")
    name = getattr(candidate, "name", None)
    if not isinstance(name, str) or not callable(getattr(candidate, "run", None)):
        raise PipelineError(f"plugin '{origin}': {shown} lacks a name or run(self, module); {EXAMPLE}")
    is_same = name in PASSES and _place(PASSES[name]) == _place(candidate)
    if (name in PASSES and not is_same) or name in PIPELINES:
        raise PipelineError(f"plugin '{origin}': there is a pass or pipeline '{name}' already; choose another name")


def _place(pass_class: type[Any]) -> tuple[str, str]:
    """The identity of a class, by which one that is loaded again is the same."""
    return pass_class.__module__, pass_class.__qualname__
