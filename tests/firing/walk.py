"""One program through the pipelines of all methods and targets; processes of their own do this side by side."""

from __future__ import annotations

import os
import tempfile

import tapeless as tl
from firing.cases import METHODS, TARGETS, compilations
from firing.watched import passes_that_fire

Case = tuple[str, str, str]
Found = dict[str, tuple[set[str], set[str]]]


def start(folder: str) -> None:
    """Gives each process a cache of its own, in which it finds nothing."""
    os.environ["TAPELESS_CACHE_DIR"] = tempfile.mkdtemp(dir=folder)


def watch(case: Case) -> tuple[Case, Found]:
    """Which passes ran and which changed the program, by the pipeline; derivatives that are refused count nowhere."""
    found: Found = {}
    for method in METHODS:
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
