"""What README and CONTRIBUTING name exists. (Their examples are run by tests/unit/docs.)"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"


def test_the_map_names_folders_that_exist() -> None:
    folders = re.findall(r"^\| `([a-z/]+)/` \|", README.read_text(), flags=re.MULTILINE)
    assert folders
    assert [folder for folder in folders if not (README.parent / folder).is_dir()] == []


def test_the_map_names_every_page() -> None:
    row = next(line for line in README.read_text().splitlines() if line.startswith("| `docs/` |"))
    assert set(re.findall(r"`([\w-]+\.md)`", row)) == {page.name for page in (ROOT / "docs").glob("*.md")}


PAGES = ("README.md", "CONTRIBUTING.md")
TO_BE_WRITTEN = re.compile("turn.back|mirrored")  # what the recipes add


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_named_exist(page: str) -> None:
    named = set(re.findall(r"\bmake ([a-z]+)", "\n".join(code_spans(page))))
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert named
    assert named <= targets


@pytest.mark.parametrize("page", PAGES)
def test_the_files_named_exist(page: str) -> None:
    named = {span for span in code_spans(page) if re.fullmatch(r"[\w./-]+/[\w.-]+\.(md|py|mlir|toml|c|h)", span)}
    assert named
    missing = [name for name in sorted(named) if not (ROOT / name).exists()]
    assert [name for name in missing if not TO_BE_WRITTEN.search(name)] == []


def code_spans(page: str) -> list[str]:
    """What stands between backquotes, and the lines of blocks."""
    text = (ROOT / page).read_text()
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    return [*re.findall(r"`([^`\n]+)`", text), *(line for block in blocks for line in block.splitlines())]
