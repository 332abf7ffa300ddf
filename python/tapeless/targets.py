"""The targets that kernels are compiled for: which names there are, and which of them work."""

from __future__ import annotations

from typing import Any

from tapeless.errors import ArgumentError, TargetError
from tapeless.spelling import nearest_or_all

TARGETS = ("cpu", "cuda")
# `backend/targets.py` says how code for these is made, `runtime/calling/loaders.py` how it is loaded and called.
IMPLEMENTED = ("cpu",)
DEFAULT = "cpu"


def check_target(target: Any) -> None:
    """Raises ArgumentError for what is no target, and TargetError for one that does not work; a device may follow."""
    if not isinstance(target, str):
        raise ArgumentError(f"unknown target {target!r}; give one of {', '.join(map(repr, TARGETS))}")
    name = target.partition(":")[0]
    if name not in TARGETS:
        raise ArgumentError(f"unknown target {name!r}{nearest_or_all(name, TARGETS)}")
    if target not in IMPLEMENTED:
        raise TargetError(f"target '{target}' is not available yet; compile for target='{DEFAULT}'")
