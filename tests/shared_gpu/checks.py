"""What the checks share: kernels from a folder, libraries that may be missing, and arrays that are late."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import tapeless as tl

# Cycles of a GPU for which a stream is kept busy: a tenth of a second, many times what a call takes.
LATE = 200_000_000
SIZE = 1 << 20
ROUNDS = 4

# A check gives a few words for the table, or raises.
Check = Callable[[Path], str]


class Skipped(Exception):
    """The machine has not what a check needs."""


def library(name: str) -> Any:
    """A library, or no check."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Skipped(f"no {name}") from error


def kernel(folder: Path, name: str) -> tl.Kernel:
    return tl.load(folder / f"{name}.tlk")


def agree(found: Any, expected: Any, where: str) -> None:
    """Raises unless all elements are as expected."""
    found, expected = np.asarray(found), np.asarray(expected)
    if found.shape != expected.shape:
        raise AssertionError(f"{where}: shape {found.shape}, not {expected.shape}")
    wrong = np.count_nonzero(~np.isclose(found, expected, rtol=1e-9, atol=1e-9))
    if wrong:
        raise AssertionError(f"{where}: {wrong} of {found.size} elements are wrong")


def refused(kind: type[Exception], work: Callable[[], Any], *words: str) -> None:
    """Raises unless `work` is refused with a message that has these words."""
    try:
        work()
    except kind as error:
        missing = [word for word in words if word not in str(error)]
        if missing:
            raise AssertionError(f"the message has no {missing}: {error}") from error
    else:
        raise AssertionError("not refused")


def numbers(round_: int) -> np.ndarray:
    """Other numbers in every round, of both signs."""
    return np.random.default_rng(round_).standard_normal(SIZE)


@contextmanager
def late(stream: Any) -> Iterator[None]:
    """Inside, torch works on a stream that is busy for a while."""
    torch = library("torch")
    with torch.cuda.stream(stream):
        torch.cuda._sleep(LATE)
        yield
