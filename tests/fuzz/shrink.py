"""The smallest program found that still has a fault of the same kind."""

from __future__ import annotations

import ast
import re
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from fuzz.edits import edited, edits_of
from fuzz.fault import Fault

Program = Any
"""A program of some family."""
Check = Callable[[Program], Fault | None]
Clock = Callable[[], float]
Found = tuple[Program, Fault]


def shrink(program: Program, fault: Fault, check: Check, seconds: float, clock: Clock = time.process_time) -> Found:
    """Takes every edit after which the fault remains, until none is left or the time is over."""
    program = program.checked(*checks_for(program, fault))
    return Shrinking(program, fault, check, clock, clock() + seconds).smallest()


def checks_for(program: Program, fault: Fault) -> tuple[str, ...]:
    """The check that failed; all of them if the process did not survive to say which."""
    return (fault.check,) if fault.check in program.checks else program.checks


@dataclass
class Shrinking:
    """The smallest program so far, and where among its edits to go on."""

    program: Program
    fault: Fault
    check: Check
    clock: Clock
    deadline: float
    place: int = 0

    def smallest(self) -> Found:
        while self._step():
            pass
        return self.program, self.fault

    def _step(self) -> bool:
        """Tries the edits, beginning after the last one that was taken."""
        edits = edits_of(self.program.text)
        for index in _from(self.place, len(edits)):
            if self.clock() > self.deadline:
                return False
            if (found := self._examined(edited(self.program.text, edits[index]))) is not None:
                (self.program, self.fault), self.place = found, index
                return True
        return False

    def _examined(self, text: str) -> Found | None:
        """A smaller program with the same fault; what is no program at all has none."""
        if len(text) >= len(self.program.text):
            return None
        try:
            warnings.simplefilter("ignore", SyntaxWarning)  # numbers that are subscripted
            candidate = without_unused_parameters(replace(self.program, text=text))
            fault = self.check(candidate)
        except Exception:
            return None
        return None if fault is None or fault.kind != self.fault.kind else (candidate, fault)


def _from(place: int, count: int) -> Iterator[int]:
    yield from range(min(place, count), count)
    yield from range(min(place, count))


def without_unused_parameters(program: Program) -> Program:
    """The program without the parameters that it does not read."""
    tree = ast.parse(program.text)
    main = next(each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == "generated")
    body = "\n".join(ast.unparse(each) for each in main.body)
    used = [bool(re.search(rf"\b{each.name}\b", body)) for each in program.parameters]
    if all(used) or not any(each.type.is_float and u for each, u in zip(program.parameters, used, strict=True)):
        return program
    main.args.args = [each for each, is_used in zip(main.args.args, used, strict=True) if is_used]
    kept = tuple(each for each, is_used in zip(program.parameters, used, strict=True) if is_used)
    return replace(program, text=ast.unparse(tree) + "\n", parameters=kept)
