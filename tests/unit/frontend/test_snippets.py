"""The page of snippets: every line gives what stands below it, and every message says to write what then works."""

from __future__ import annotations

import doctest
import linecache
import re
from pathlib import Path

import pytest
from docs.sessions import Checker

PAGE = Path(__file__).parents[3] / "docs" / "snippets.md"
FENCES = re.compile(r"^## (?P<title>.*?)$\n+```pycon\n(?P<session>.*?)^```$", re.MULTILINE | re.DOTALL)
PRELUDE = re.compile(r"^The page begins with\n+```pycon\n(?P<session>.*?)^```$", re.MULTILINE | re.DOTALL)
# Operators that a message names as what to write.
NAMED = re.compile(r"\b(?:tl|np)\.\w+")
FEWEST = 150


def sections() -> dict[str, str]:
    return {found["title"]: found["session"] for found in FENCES.finditer(PAGE.read_text())}


SECTIONS = sections()


def examples(title: str) -> list[doctest.Example]:
    return doctest.DocTestParser().get_examples(SECTIONS[title])


@pytest.fixture(scope="module")
def names() -> dict[str, object]:
    """What the page begins with."""
    found: dict[str, object] = {}
    for example in doctest.DocTestParser().get_examples(PRELUDE.search(PAGE.read_text())["session"]):
        exec(example.source, found)
    return found


@pytest.mark.one_in(9)
@pytest.mark.parametrize("title", SECTIONS)
def test_every_line(title: str, names: dict[str, object]) -> None:
    said: list[str] = []
    for place, example in enumerate(examples(title)):  # as sources of notebooks, which messages show
        file = f"<doctest {title}[{place}]>"
        linecache.cache[file] = (len(example.source), None, example.source.splitlines(keepends=True), file)
    test = doctest.DocTest(examples(title), dict(names), title, None, 0, None)
    doctest.DocTestRunner(Checker(), optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert "".join(said) == ""


def test_there_are_many() -> None:
    calls = [example for title in SECTIONS for example in examples(title) if example.want]
    assert len(calls) >= FEWEST
    text = PAGE.read_text()
    assert sum(map(len, SECTIONS.values())) > 0.9 * len(text), "all of the page is read"


def test_what_messages_say_to_write_stands_below_them_and_works() -> None:
    found = examples("Common mistakes")
    mistakes = [place for place, example in enumerate(found) if example.exc_msg is not None]
    for place, end in zip(mistakes, [*mistakes[1:], len(found)], strict=True):
        ways = [example for example in found[place + 1 : end] if example.want]
        assert ways, f"no way out of: {found[place].exc_msg}"
        hint = found[place].exc_msg.rstrip().split("\n")[-1]
        is_hint = not hint.startswith((" ", "tapeless."))
        below = "".join(example.source for example in found[place + 1 : end])
        missing = set(NAMED.findall(hint)) - set(NAMED.findall(below)) if is_hint else set()
        assert not missing, f"{missing} of '{hint}' is not shown"
