"""The problems by the names of their modules; one is imported when it is asked for."""

from __future__ import annotations

import importlib

from tapeless.gradbench.problem import Problem

NAMES = ("hello", "llsq", "lse", "det", "gmm", "ba", "ht", "lstm", "kmeans", "ode", "particle", "saddle")


def find_problem(module: str) -> Problem:
    """The functions of a module by name; a LookupError if there is no such module."""
    if module not in NAMES:
        raise LookupError(f"no module {module!r}; there are {', '.join(NAMES)}")
    found: Problem = importlib.import_module(f"tapeless.gradbench.problems.{module}").PROBLEM
    return found
