"""The smallest program found that still has a fault of the same kind."""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Callable
from dataclasses import replace

from fuzz.edits import smaller
from fuzz.fault import Fault
from fuzz.program import Program

Check = Callable[[Program], Fault | None]


def shrink(program: Program, fault: Fault, check: Check, seconds: float) -> tuple[Program, Fault]:
    """Takes every edit after which the fault remains, until none is left or the time is over."""
    deadline = time.monotonic() + seconds
    program = program.checked(*checks_for(program, fault))
    progress = True
    while progress:
        progress = False
        for text in smaller(program.text):
            if time.monotonic() > deadline:
                return program, fault
            found = _examined(replace(program, text=text), check) if len(text) < len(program.text) else None
            if found is not None and found[1].kind == fault.kind:
                program, fault, progress = *found, True
                break
    return program, fault


def checks_for(program: Program, fault: Fault) -> tuple[str, ...]:
    """The check that failed; all of them if the process did not survive to say which."""
    return (fault.check,) if fault.check in program.checks else program.checks


def _examined(candidate: Program, check: Check) -> tuple[Program, Fault] | None:
    """A candidate with its fault; candidates that are no programs at all have none."""
    try:
        tidy = without_unused_parameters(candidate)
        fault = check(tidy)
    except Exception:
        return None
    return None if fault is None else (tidy, fault)


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
