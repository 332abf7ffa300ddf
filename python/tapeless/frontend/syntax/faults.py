"""Faults of the frontend itself become errors that show the source it was working on; needs no MLIR."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from tapeless.errors import InternalError, TapelessError
from tapeless.frontend.syntax.diagnostics import failure

STAGE = "the frontend"
BLAME = "this is a fault of Tapeless, not of the program; please report it with the function above"
LONGEST_MESSAGE = 500


@contextmanager
def faults_explained(file: str, line: int) -> Iterator[None]:
    """Reads or translates a function; unexpected exceptions become an InternalError."""
    try:
        yield
    except (TapelessError, MemoryError):
        raise
    except Exception as error:
        where, node = _position(error.__traceback__) or (file, ast.Pass(lineno=line, col_offset=0))
        message = f"internal error in {STAGE}: {type(error).__name__}: {error}"[:LONGEST_MESSAGE]
        made = failure(where, linecache.getlines(where), node, message, BLAME, InternalError)
        assert isinstance(made, InternalError)
        made.stage = STAGE
        raise made from error


def _position(traceback: TracebackType | None) -> tuple[str, ast.AST] | None:
    """The file and the node that the innermost translation in a traceback works on."""
    found = None
    while traceback is not None:
        local = traceback.tb_frame.f_locals.values()
        files = [each.frame.source.file for each in local if type(each).__name__ == "Translator"]
        nodes = [each for each in local if isinstance(each, ast.AST) and hasattr(each, "lineno")]
        if files and nodes:
            found = files[0], nodes[0]
        traceback = traceback.tb_next
    return found
