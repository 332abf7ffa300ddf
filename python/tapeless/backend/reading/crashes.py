"""Text on which MLIR itself crashes while it verifies the parsed module; refused before it gets there."""

from __future__ import annotations

import re

from tapeless.passes.diagnostics import Diagnosed, Diagnostic, Place

COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*')

# What crashes, as it is written in short and in generic form, and what to say of it.
CRASHES = {
    re.compile(
        r"\btensor\.concat\s+dim\s*\(\s*(?P<short>-\s*\w+)"
        r'|"tensor\.concat"\s*\([^)]*\)\s*(?:<\s*)?\{[^}]*?\bdim\s*=\s*(?P<generic>-\s*\w+)'
    ): "'tensor.concat' op has dim {value}; give an axis from 0 on",
}


def check_crashes(name: str, text: str) -> None:
    """Refuses text that would bring MLIR, and the process, down."""
    if "tensor.concat" not in text:
        return
    plain = COMMENT.sub(lambda match: match[1] or " " * len(match[0]), text)
    for pattern, message in CRASHES.items():
        if found := pattern.search(plain):
            line = plain.count("\n", 0, found.start()) + 1
            place = Place(name, line, found.start() - plain.rfind("\n", 0, found.start()))
            value = (found["short"] or found["generic"]).replace(" ", "")
            raise Diagnosed([Diagnostic("error", message.format(value=value), place)])
