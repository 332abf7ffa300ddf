"""Functions that are compiled again and again: a warning says which argument is another one each time."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from tapeless.signature import Parameter
from tapeless.tracebacks import level_of_user

MANY_VERSIONS = 64


def warn_of_versions(function: str, parameters: Sequence[Parameter], keys: Sequence[tuple[Any, ...]]) -> None:
    """Names the argument with the most values among those that choose a version."""
    names = [each.name for each in parameters if each.type is None]
    counts = {name: len({key[position] for key in keys}) for position, name in enumerate(names)}
    name = max(names, key=lambda each: counts[each])
    warnings.warn(
        f"{function}() has been compiled {len(keys)} times: the argument '{name}' had {counts[name]} different types, "
        "structures or values that choose code. Each is a version of its own; define functions and lambdas once and "
        "pass the same ones, and pass what changes often as numbers and arrays",
        RuntimeWarning,
        stacklevel=level_of_user(),
    )
