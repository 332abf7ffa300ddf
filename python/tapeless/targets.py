"""The targets that kernels are compiled for, by name."""

from __future__ import annotations

from typing import Any

from tapeless.errors import ArgumentError
from tapeless.spelling import nearest_or_all

# `backend/targets.py` says how code for these is made, `runtime/calling/loaders.py` how it is loaded and called.
TARGETS = ("cpu", "cuda")
DEFAULT = "cpu"
# What else people call these.
_OTHER_NAMES = {"gpu": "cuda", "nvidia": "cuda", "nvptx": "cuda", "ptx": "cuda", "native": "cpu", "host": "cpu"}
# Generations of GPUs that code can be made for, as in `cuda:sm_90`; later ones run it too.
GENERATIONS = ("sm_80", "sm_86", "sm_89", "sm_90", "sm_100")


def check_denormals(flush: bool, target: str) -> None:
    """Raises ArgumentError where a mode of processors is asked for on another target."""
    if flush and target != DEFAULT:
        raise ArgumentError(
            f"denormals='flush' is an option of target='{DEFAULT}', and the target is '{target}', which computes with "
            "denormal numbers as fast as with others; leave it out"
        )


def check_target(target: Any) -> None:
    """Raises ArgumentError for anything but a target; a generation of GPUs may follow `cuda`."""
    if not isinstance(target, str):
        raise ArgumentError(f"unknown target {target!r}; give one of {', '.join(map(repr, TARGETS))}")
    name, _, generation = target.partition(":")
    if name not in TARGETS:
        meant = _OTHER_NAMES.get(name.lower())
        hint = f"; did you mean {meant!r}?" if meant else nearest_or_all(name, TARGETS)
        raise ArgumentError(f"unknown target {name!r}{hint}")
    if name == "cuda" and generation.isdecimal():
        raise ArgumentError(
            f"target {target!r} names one of several GPUs, and kernels run on the first that the process sees; write "
            f"'cuda', and start the process with CUDA_VISIBLE_DEVICES={generation}"
        )
    if target != name and (name != "cuda" or generation not in GENERATIONS):
        known = [f"cuda:{each}" for each in GENERATIONS] if name == "cuda" else [*TARGETS]
        raise ArgumentError(f"unknown target {target!r}{nearest_or_all(target, known)}")
