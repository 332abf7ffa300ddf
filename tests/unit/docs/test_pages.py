"""The examples of all pages run and give what the pages show; links lead somewhere; the site has every page."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tapeless as tl

from .pages import PAGES, ROOT, blocks, run

sys.path.append(str(ROOT / "docs" / "site"))
import build
import contents
import links

RUN = ("python", "pycon")
# Pages with a test of their own, which runs them section by section (`tests/unit/frontend/test_snippets.py`).
BY_SECTIONS = {"snippets"}
WITH_EXAMPLES = [
    name
    for name, page in PAGES.items()
    if name not in BY_SECTIONS and any(block.language in RUN for block in blocks(page.read_text()))
]
# Programs of other languages, of which a page shows parts.
PROGRAMS = {"c": "examples/c/fit.c", "fortran": "examples/fortran/fit.f90"}


@pytest.fixture(scope="module")
def site() -> dict[str, str]:
    """The texts of all pages of the site, generated ones included."""
    return build.texts()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("page", WITH_EXAMPLES)
def test_the_examples_of_a_page(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(page, tmp_path) == []


def test_the_parts_of_programs_that_are_shown_are_parts_of_them() -> None:
    shown = [block for block in blocks(PAGES["c_and_fortran"].read_text()) if block.language in PROGRAMS]
    assert shown
    assert [each.code for each in shown if each.code not in (ROOT / PROGRAMS[each.language]).read_text()] == []


def test_links_lead_somewhere(site: dict[str, str]) -> None:
    """To pages of the site, to headings in them, and to files in the repository."""
    names = {f"{name}.md": links.anchors(text) for name, text in site.items()}
    dead = []
    for name, text in site.items():
        for link in links.links(text):
            page, _, anchor = link.partition("#")
            headings = names.get(page or f"{name}.md")
            is_found = headings is not None and (not anchor or anchor in headings)
            if not is_found and not re.match(r"https?://", link):
                dead.append((name, link))
        dead += [(name, mention) for mention in links.mentions(text) if not _is_page(mention, site)]
    assert dead == []


def _is_page(name: str, site: dict[str, str]) -> bool:
    return name in site or (ROOT / f"{name}.md").is_file()


def test_pictures_are_there_and_fetch_nothing(site: dict[str, str]) -> None:
    shown = {picture for text in site.values() for picture in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text)}
    drawn = {f"pictures/{path.name}" for path in (ROOT / "docs" / "pictures").iterdir()}
    assert shown == drawn
    assert [each for each in drawn if re.search(r"(href|src)=", (ROOT / "docs" / each).read_text())] == []


def test_every_page_is_in_one_chapter() -> None:
    listed = [page for pages in contents.chapters().values() for page in pages]
    assert sorted(listed) == sorted({*contents.written_pages(), *contents.GENERATED})


def test_the_reference_has_every_public_name(site: dict[str, str]) -> None:
    headings = links.HEADING.findall("".join(site[page] for page in contents.GENERATED))
    constants = {"e", "inf", "nan", "pi"}
    assert {f"tl.{name}" for name in set(tl.__all__) - constants} <= set(headings)


def test_every_page_has_one_title(site: dict[str, str]) -> None:
    several = [name for name, text in site.items() if len(re.findall(r"^# ", links.FENCE.sub("", text), re.M)) != 1]
    assert several == []


@pytest.mark.thorough
def test_the_site_is_built_and_fetches_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("myst_parser", reason="Sphinx is not installed; `make docs` installs it")
    monkeypatch.setattr(build, "SOURCE", tmp_path / "source")
    monkeypatch.setattr(build, "SITE", tmp_path / "site")
    assert build.main() == 0
    pages = list((tmp_path / "site").glob("*.html"))
    assert {page.stem for page in pages} >= {*contents.written_pages(), *contents.GENERATED, "index"}
    loads = re.compile(r'<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)="(?:https?:)?//')
    assert [page.name for page in pages if loads.search(page.read_text())] == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_the_commands(shell: str) -> None:
    page = PAGES["command_line"].read_text()
    assert f"_TAPELESS_COMPLETE={shell}_source tapeless" in page
    command = [str(Path(sys.executable).with_name("tapeless"))]
    environment = {**os.environ, "COMP_WORDS": "tapeless comp", "COMP_CWORD": "1" if shell != "fish" else "comp"}
    environment |= {"_TAPELESS_COMPLETE": f"{shell}_complete"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert "compile" in done.stdout
