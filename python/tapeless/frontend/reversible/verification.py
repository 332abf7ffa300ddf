"""Findings of the verifiers of `rev` that the translation has not seen: refusals at the user's line."""

from __future__ import annotations

import ast
import linecache
import re

from tapeless._mlir import ir
from tapeless.errors import NotReversible, TapelessError
from tapeless.frontend.syntax.diagnostics import failure

FOUND = re.compile(
    r"\"(?P<file>[^\"]*)\":(?P<line>\d+):(?P<column>\d+): 'rev\.\w+' op (?P<what>[^;\n]*)(?:; (?P<instead>.*))?"
)


def refusal(error: ir.MLIRError) -> TapelessError | None:
    """The refusal that a verifier's error stands for, or None for a fault of the frontend."""
    found = FOUND.search(str(error))
    if found is None:
        return None
    node = ast.Pass(lineno=int(found["line"]), col_offset=int(found["column"]) - 1)
    message = f"the statement {found['what']}"
    return failure(found["file"], linecache.getlines(found["file"]), node, message, found["instead"], NotReversible)
