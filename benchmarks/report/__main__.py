"""Writes the report: `python -m report [FILES] [--history FOLDER] [--output FILE]` in the folder `benchmarks`."""

from __future__ import annotations

import argparse
from pathlib import Path

from report.page import page
from report.reading import read_all

RESULTS = Path(__file__).parents[1] / "results"


def main() -> None:
    parser = argparse.ArgumentParser(prog="report", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="JSON of benchmarks; without any, those of results")
    parser.add_argument("--history", type=Path, default=RESULTS / "history", metavar="FOLDER", help="earlier files")
    parser.add_argument("--output", type=Path, default=RESULTS / "report.html", metavar="FILE")
    given = parser.parse_args()
    now, wrong = read_all(given.files or RESULTS.glob("*.json"))
    history, wrong_before = read_all(given.history.glob("*.json"))
    given.output.parent.mkdir(parents=True, exist_ok=True)
    given.output.write_text(page(now, history, [*wrong, *wrong_before]))
    for each in (*wrong, *wrong_before):
        print(f"not read: {each}")
    print(f"{sum(len(each.rows) for each in now)} rows of {len(now)} files: {given.output}")


if __name__ == "__main__":
    main()
