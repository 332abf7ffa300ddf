"""Faults of the frontend itself become errors that show the source it was translating."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from tapeless.errors import InternalError, TapelessError
from tapeless.frontend.source import Source
from tapeless.frontend.translator import Translator

STAGE = "the frontend"
BLAME = "this is a fault of Tapeless, not of the program; please report it with the function above"
LONGEST_MESSAGE = 500


@contextmanager
def faults_explained(source: Source) -> Iterator[None]:
    """Translates a source; what the translation should not raise becomes an InternalError."""
    try:
        yield
    except (TapelessError, MemoryError):
        raise
    except Exception as error:
        translated, node = _position(error.__traceback__) or (source, source.node)
        message = f"internal error in {STAGE}: {type(error).__name__}: {error}"[:LONGEST_MESSAGE]
        made = translated.error(node, message, BLAME, InternalError)
        assert isinstance(made, InternalError)
        made.stage = STAGE
        raise made from error


def _position(traceback: TracebackType | None) -> tuple[Source, ast.AST] | None:
    """The source and the node that the innermost frames of a traceback work on."""
    found = None
    while traceback is not None:
        local = traceback.tb_frame.f_locals.values()
        translator = next((each for each in local if isinstance(each, Translator)), None)
        node = next((each for each in local if isinstance(each, ast.AST) and hasattr(each, "lineno")), None)
        if translator is not None and node is not None:
            found = translator.frame.source, node
        traceback = traceback.tb_next
    return found
