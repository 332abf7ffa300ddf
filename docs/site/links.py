"""Links between pages: made of the names that texts mention, and looked up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", flags=re.MULTILINE | re.DOTALL)
# A page that is mentioned by its file: `gpu.md`, `docs/gpu.md`; not within a link.
MENTION = re.compile(r"(?<!\[)`(?:docs/)?([\w-]+)\.md`(?!\])")
LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)")
# What tests run, or need, and readers do not see.
NOTE = re.compile(r"^<!-- (?:run\n|needs ).*?-->\n", flags=re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#{1,6} +(.+?)\s*$", flags=re.MULTILINE)


def with_links(text: str, pages: Mapping[str, str]) -> str:
    """The text of a page in which other pages that it mentions are links with their titles."""
    return outside_code(text, lambda part: MENTION.sub(lambda found: _link(found, pages), part))


def without_notes(text: str) -> str:
    """The text without comments for tests."""
    return NOTE.sub("", text)


def _link(found: re.Match[str], pages: Mapping[str, str]) -> str:
    name = found[1]
    return f"[{pages[name]}]({name}.md)" if name in pages else found[0]


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """The text, changed by a function outside of its blocks of code."""
    made, position = [], 0
    for block in FENCE.finditer(text):
        made += [change(text[position : block.start()]), block[0]]
        position = block.end()
    return "".join([*made, change(text[position:])])


def title(text: str) -> str:
    """The first heading."""
    return re.sub(r"[`*]", "", HEADING.search(FENCE.sub("", text))[1])


def anchors(text: str) -> set[str]:
    """The names of the headings, as GitHub and the site make them."""
    return {anchor(heading) for heading in HEADING.findall(FENCE.sub("", text))}


def anchor(heading: str) -> str:
    words = re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower())
    return words.replace(" ", "-")


def links(text: str) -> Iterator[str]:
    """Where the links of a page lead to."""
    yield from LINK.findall(FENCE.sub("", text))


def mentions(text: str) -> Iterator[str]:
    """The pages that are mentioned by their files."""
    yield from MENTION.findall(FENCE.sub("", text))
