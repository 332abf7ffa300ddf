"""Every message a verifier can give has a case in the invalid-IR tests, and says what to do."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import tapeless.dialects

SOURCES = Path(tapeless.dialects.__path__[0])
CASES = Path(__file__).parents[2] / "filecheck" / "dialects"
TESTED_ELSEWHERE = {"loop_hints.py": "test_loop_hints.py", "mixed_groups.py": "test_mixed_groups.py"}


def pattern_of(message: ast.JoinedStr | ast.Constant) -> str:
    """A message with anything in place of what is filled in."""
    parts = message.values if isinstance(message, ast.JoinedStr) else [message]
    return "".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".*" for part in parts)


def messages() -> Iterator[tuple[str, str]]:
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            is_text = isinstance(node, ast.Yield) and isinstance(node.value, ast.JoinedStr | ast.Constant)
            if is_text and path.name not in TESTED_ELSEWHERE:
                yield f"{path.relative_to(SOURCES)}:{node.lineno}", pattern_of(node.value)


@pytest.fixture(scope="module")
def expected() -> list[str]:
    texts = [path.read_text() for path in sorted(CASES.glob("*-invalid.mlir"))]
    return [message for text in texts for message in re.findall(r"expected-error @\+1 \{\{(.*)\}\}", text)]


@pytest.mark.parametrize(("place", "pattern"), [pytest.param(*found, id=found[0]) for found in messages()])
def test_message_has_a_case_and_says_what_to_do(place: str, pattern: str, expected: list[str]) -> None:
    assert "; " in pattern.replace("\\", "")
    whole = re.compile(rf"'[\w.]+' op {pattern}")
    assert any(whole.fullmatch(message) for message in expected), f"no invalid-IR case for {place}: {pattern}"
