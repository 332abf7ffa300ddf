"""Programs as files that can be read, and run again."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from fuzz.families import family
from fuzz.fault import Fault


def save(folder: Path, program: Any, fault: Fault) -> Path:
    """Writes the program with what is wrong with it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"fault_{program.seed}.py"
    about = f"{fault}\n\nSeed {program.seed}; run again with `make fuzz REPLAY={path}`.\n\n{_quoted(fault.detail)}\n"
    literal = {"family": program.family, **family(program.family).as_literal(program)}
    path.write_text(f'"""{about}"""\n\n{program.text}\n\nPROGRAM = {literal!r}\n')
    return path


def _quoted(text: str) -> str:
    return text.replace("\\", "/").replace('"""', "'''")


def load(path: Path) -> Any:
    text = path.read_text()
    body, _, literal = text.rpartition("\nPROGRAM = ")
    fields = ast.literal_eval(literal.strip())
    return family(fields.pop("family", "functions")).from_literal(body, fields)
