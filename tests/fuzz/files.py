"""Programs as files that can be read, and run again."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from fuzz.fault import Fault
from fuzz.program import Parameter, Program
from fuzz.types import Type


def save(folder: Path, program: Program, fault: Fault) -> Path:
    """Writes the program with what is wrong with it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"fault_{program.seed}.py"
    about = f"{fault}\n\nSeed {program.seed}; run again with `make fuzz REPLAY={path}`.\n\n{_quoted(fault.detail)}\n"
    path.write_text(f'"""{about}"""\n\n{program.text}\n\nPROGRAM = {as_literal(program)!r}\n')
    return path


def _quoted(text: str) -> str:
    return text.replace("\\", "/").replace('"""', "'''")


def as_literal(program: Program) -> dict[str, Any]:
    """Everything but the text."""
    parameters = [(p.name, p.type.dtype, p.type.sizes, p.type.bound, p.annotation) for p in program.parameters]
    return {
        "seed": program.seed,
        "parameters": parameters,
        "sets": program.sets,
        "checks": program.checks,
        "by_differences": program.by_differences,
        "has_stop": program.has_stop,
    }


def load(path: Path) -> Program:
    text = path.read_text()
    body, _, literal = text.rpartition("\nPROGRAM = ")
    fields = ast.literal_eval(literal.strip())
    parameters = tuple(Parameter(n, Type(d, tuple(s), b), a) for n, d, s, b, a in fields.pop("parameters"))
    return Program(text=body, parameters=parameters, **fields)
