"""The pages of the documentation as programs: their blocks of Python are run in order, in one set of names.

A block of `text` behind one of `python` is what that prints; a block of `pycon` is a session. A comment `<!-- run ...
-->` is run and not shown, and finds the repository as `ROOT`; `<!-- needs torch -->` before a block leaves it out where
a module or a program is missing. A block of `sh` with such a comment is run, too; the others are for readers.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from .sessions import failures, is_same

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
PAGES = {page.stem: page for page in [ROOT / "README.md", DOCS / "site" / "index.md", *sorted(DOCS.glob("*.md"))]}
ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
START = "import numpy as np\nimport tapeless as tl\n"
PART = re.compile(
    r"^<!-- run\n(?P<hidden>.*?)^-->|^<!-- needs (?P<needs>.*?) -->|^```(?P<language>\w*)\n(?P<code>.*?)^```",
    flags=re.MULTILINE | re.DOTALL,
)


class Block(NamedTuple):
    """A block of code with the number of its line, and what it needs."""

    language: str
    code: str
    line: int
    needs: tuple[str, ...] = ()


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a page in order; hidden ones are Python."""
    needs: tuple[str, ...] = ()
    for part in PART.finditer(text):
        line = text.count("\n", 0, part.start()) + 1
        if part["needs"] is not None:
            needs = tuple(part["needs"].split())
            continue
        language, code = ("python", part["hidden"]) if part["hidden"] is not None else (part["language"], part["code"])
        yield Block(language, code, line, needs)
        needs = ()


def run(page: str, folder: Path) -> list[str]:
    """What is wrong with the examples of a page."""
    names: dict[str, Any] = {"__name__": page, "ROOT": ROOT}
    exec(START, names)
    wrong, printed = [], None
    for block in blocks(PAGES[page].read_text()):
        if not all(map(is_here, block.needs)):
            continue
        if block.language == "python":
            printed = _output(block, folder / f"{page}_{block.line}.py", names)
        elif block.language == "text" and printed is not None:
            wrong += [] if is_same(block.code, printed) else [f"line {block.line} shows\n{block.code}, not\n{printed}"]
        elif block.language == "sh" and block.needs:
            wrong += _said_by_shell(block, folder)
        elif block.language == "pycon":
            wrong += [said] if (said := failures(page, block.code, names)) else []
        printed = printed if block.language == "python" else None
    return wrong


def _output(block: Block, file: Path, names: dict[str, Any]) -> str:
    """What a block prints; it lies in a file, where the source of its functions is found."""
    file.write_text(block.code)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(block.code, str(file), "exec", dont_inherit=True), names)
    return printed.getvalue()


def _said_by_shell(block: Block, folder: Path) -> list[str]:
    """What the shell says if a command fails."""
    done = subprocess.run(["bash", "-ec", block.code], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)
    return [f"line {block.line}: {done.stdout}{done.stderr}"] if done.returncode else []


def is_here(need: str) -> bool:
    """Whether a program or a module is installed; `cuda` is a GPU."""
    if need == "cuda":
        return Path("/dev/nvidia0").exists()
    return shutil.which(need, path=ENVIRONMENT["PATH"]) is not None or importlib.util.find_spec(need) is not None
