"""Pages of the manual that are made from results: `make results`."""

from __future__ import annotations

import argparse
from pathlib import Path

from report.measured import MEASURED, take_all
from report.methods_page import methods_page
from report.reading import read_all
from report.results_page import results_page
from report.slower_page import slower_page

DOCS = Path(__file__).parents[2] / "docs"
RESULTS = Path(__file__).parents[1] / "results"
PAGES = {"results.md": results_page, "slower.md": slower_page, "which-method.md": methods_page}


def texts(folder: Path = MEASURED) -> dict[str, str]:
    """The pages by file name, from the files of a folder; the machine that was measured last comes first."""
    found, wrong = read_all(folder.glob("*.json"))
    if wrong:
        raise SystemExit("\n".join(wrong))
    ordered = sorted(found, key=lambda each: each.when, reverse=True)
    return {name: make(ordered).rstrip("\n") + "\n" for name, make in PAGES.items()}


def main() -> None:
    parser = argparse.ArgumentParser(prog="report.manual", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="JSON of benchmarks; without any, those of results")
    given = parser.parse_args()
    found, wrong = read_all(given.files or RESULTS.glob("*.json"))
    for each in wrong:
        print(f"not read: {each}")
    for taken in take_all(found):
        print(taken.words)
    for name, text in texts().items():
        (DOCS / name).write_text(text)
        print(DOCS / name)


if __name__ == "__main__":
    main()
