"""What is wrong with a program: which check failed, and how."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Each gives the reason of a failure, or nothing.
Checks = Mapping[str, Callable[[Any], str]]

LONGEST_MESSAGE = 90
LONGEST_DETAIL = 8000


@dataclass(frozen=True)
class Fault:
    """Two faults are of one kind if the same check fails with the same symptom."""

    check: str
    symptom: str
    detail: str = ""

    @property
    def kind(self) -> tuple[str, str]:
        return self.check, self.symptom

    def __str__(self) -> str:
        return f"{self.check}: {self.symptom}"


def from_exception(check: str, error: BaseException) -> Fault:
    """An error of the package, told apart by its class, its message and where its first cause was raised."""
    cause = first_cause(error)
    where = " ".join(_place(each) for each in traceback.extract_tb(cause.__traceback__)[-2:])
    return Fault(check, f"{type(cause).__name__} {where}: {_general(cause)}", _detail(error))


def first_of(
    checks: Checks, subject: Any, is_refusal: Callable[[Exception], bool] = lambda error: False
) -> Fault | None:
    """Runs the checks that the subject's program asks for until one fails; what may be refused ends them."""
    for name in subject.program.checks:
        try:
            wrong = checks[name](subject)
        except Exception as error:
            is_refused = is_refusal is not None and is_refusal(error)
            return None if is_refused else from_exception(name, error)
        if wrong:
            return Fault(name, wrong.partition(";")[0], wrong)
    return None


def first_cause(error: BaseException) -> BaseException:
    while error.__cause__ is not None:
        error = error.__cause__
    return error


def _place(frame: traceback.FrameSummary) -> str:
    return f"{Path(frame.filename).name}:{frame.name}"


def _general(error: BaseException) -> str:
    """The message without names, numbers and addresses."""
    line = next(iter(str(error).splitlines()), "")
    return re.sub(r"\d+", "#", re.sub(r"'[^']*'|%\w+|0x[0-9a-f]+", "_", line))[:LONGEST_MESSAGE]


def _detail(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))[-LONGEST_DETAIL:]
