"""First sentences of doc strings say what a thing is by a noun of the field, hardly ever by a clause with "what"."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]
FOLDERS = ("passes", "dialects", "python/tapeless")
# The share of sentences that may have such a clause.
MOST = 0.05
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def first_sentence(doc_string: str) -> str:
    paragraph = " ".join(doc_string.strip().split("\n\n")[0].split())
    return re.split(r"(?<=[.!?])\s", paragraph)[0]


def sentences(file: Path) -> Iterator[tuple[str, str]]:
    """The first sentences of all doc strings in a file, with their places."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, DOCUMENTED) and (doc_string := ast.get_docstring(node)):
            yield f"{file.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}", first_sentence(doc_string)


def test_first_sentences_name_things() -> None:
    found = [each for folder in FOLDERS for file in sorted((ROOT / folder).rglob("*.py")) for each in sentences(file)]
    vague = [f"{place}: {sentence}" for place, sentence in found if re.search(r"\bwhat\b", sentence, re.IGNORECASE)]
    assert len(vague) <= MOST * len(found), "name the thing (the operands of a loop) instead:\n" + "\n".join(vague)


def test_sentences_end() -> None:
    assert first_sentence("The sum\nof rows. More.\n\nAnd more.") == "The sum of rows."
