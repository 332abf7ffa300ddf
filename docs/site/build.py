"""Builds the site: `make docs` writes it to `build/site`, and it opens from there without a server.

The pages of `docs/` and those that are made from the package are put beside each other in `build/site-source`, with
links where one mentions another, and go through Sphinx; whatever it warns of ends the build.
"""

from __future__ import annotations

import shutil
import subprocess
import sys

import links
import reference
from contents import DOCS, ROOT, chapters, written_pages

SOURCE, SITE = ROOT / "build" / "site-source", ROOT / "build" / "site"


def texts() -> dict[str, str]:
    """All pages of the site by name."""
    return {**{page: (DOCS / f"{page}.md").read_text() for page in written_pages()}, **reference.pages()}


def index(titles: dict[str, str]) -> str:
    """The first page: what the site is, and its chapters."""
    lines = [(DOCS / "site" / "index.md").read_text()]
    for chapter, pages in chapters().items():
        listed = "\n".join(f"- [{titles[page]}]({page}.md)" for page in pages)
        lines += [f"## {chapter}", listed]
        lines += ["\n".join(["```{toctree}", ":hidden:", f":caption: {chapter}", "", *pages, "```"])]
    return "\n\n".join(lines) + "\n"


def write_source() -> None:
    """Puts what the site is built from into one folder."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(DOCS / "pictures", SOURCE / "pictures")
    pages = texts()
    titles = {name: links.title(text) for name, text in pages.items()}
    for name, text in pages.items():
        (SOURCE / f"{name}.md").write_text(links.with_links(links.without_notes(text), titles))
    (SOURCE / "index.md").write_text(index(titles))
    shutil.copy(DOCS / "site" / "conf.py", SOURCE / "conf.py")


def main() -> int:
    write_source()
    shutil.rmtree(SITE, ignore_errors=True)
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-n", "-b", "html", "-d"]
    done = subprocess.run([*command, str(ROOT / "build" / "site-doctrees"), str(SOURCE), str(SITE)])
    if done.returncode == 0:
        print(f"open {SITE / 'index.html'}")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
