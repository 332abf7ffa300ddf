"""One program through the pipelines of a method on all targets; processes of their own do this side by side."""

from __future__ import annotations

import os
import tempfile

import tapeless as tl
from firing.cases import TARGETS, compilations
from firing.watched import passes_that_fire

Case = tuple[str, str, str]
Task = tuple[Case, str]
Found = dict[str, tuple[set[str], set[str]]]


def start(folder: str) -> None:
    """Gives each process a cache of its own, in which it finds nothing."""
    os.environ["TAPELESS_CACHE_DIR"] = tempfile.mkdtemp(dir=folder)


def watch(task: Task) -> tuple[Case, Found]:
    """Which passes ran and which changed the program, by the pipeline; derivatives that are refused count nowhere."""
    case, method = task
    found: Found = {}
    for target, name in TARGETS.items():
        ran, fired = found.setdefault(f"{method}-{target}", (set(), set()))
        try:
            for function, arguments in compilations(case, method):
                firing = passes_that_fire(function, arguments, name)
                ran |= firing.ran
                fired |= firing.fired
        except tl.TapelessError as refusal:
            print(f"{case}, {method}-{target}: {str(refusal).splitlines()[0]}", flush=True)
    return case, found
