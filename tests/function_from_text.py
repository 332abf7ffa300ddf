"""Functions that tests write as text, with a source that the language can read back."""

from __future__ import annotations

import itertools
import linecache
from typing import Any

import tapeless as tl

numbers = itertools.count()


def function_from_text(text: str, name: str, **outside: Any) -> Any:
    """The function of this name that a text defines, with further names beside `tl`."""
    file = f"<text {next(numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names: dict[str, Any] = {"tl": tl, **outside}
    exec(compile(text, file, "exec"), names)
    return names[name]
