"""Lines of the pages that people write are as short as those of the code, and pages of design stay short."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = [page for page in (*ROOT.glob("docs/*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md")]
LONGEST = 120
# Words of pages that explain a design: thresholds and times have pages of their own.
MOST_WORDS = {"gpu.md": 3500}
MADE = re.compile(r"<!-- make \w+ writes this page")


def prose(text: str) -> Iterator[tuple[int, str]]:
    """The lines that can be broken, with their numbers."""
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r"\s*(```+|~~~+|<!--)", line)
        if fence:
            fence = "" if (fence in line) else fence
        elif mark:
            fence = "-->" if mark[1] == "<!--" and "-->" not in line else mark[1] if mark[1] != "<!--" else ""
        elif not line.lstrip().startswith(("|", "#", "!", "[", "<")):
            yield number, line


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_lines_are_short(page: Path) -> None:
    text = page.read_text()
    if MADE.search(text):
        pytest.skip("made from results")
    long = [number for number, line in prose(text) if len(line) > LONGEST and " " in line.strip()]
    assert not long, f"lines {long} of {page.name} have more than {LONGEST} columns"


@pytest.mark.parametrize("name", MOST_WORDS)
def test_designs_are_short(name: str) -> None:
    text = (ROOT / "docs" / name).read_text()
    words = sum(any(map(str.isalnum, word)) for word in text.split())
    assert words <= MOST_WORDS[name], f"{name} has {words} words: move thresholds and times to the page for tuning"


def test_prose_is_told_from_the_rest() -> None:
    text = "a\n```sh\nb\n```\nc\n<!--\nd\n-->\n| e |\n<!-- f -->\ng\n"
    assert [line for _, line in prose(text)] == ["a", "c", "g"]
