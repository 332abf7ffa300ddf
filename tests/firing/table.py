"""The page of passes and of how many programs each changes."""

from __future__ import annotations

from firing.cases import METHODS, TARGETS

Counts = dict[str, dict[str, set[str]]]

PIPELINES = tuple(f"{method}-{target}" for target in TARGETS for method in METHODS)
SEEN = 2

HEAD = """# Which pass fires where

<!-- make firing writes this page -->
How many programs each pass changes, of the {count} of `tests/programs` and, by spelling, of `benchmarks/untuned`, which
no pass was written for: values and derivatives by the method, compiled and not run. A dash says that the pass is in no
such pipeline. Passes that other passes run inside are counted as well. The last column names two programs.
`soac-core-only` and `lower-check-storage` look for what they must refuse, and change nothing. Where roots are computed
depends on the processor (`lower-expand-vector-sqrt`): these are the programs of the machine that wrote the page.

| pass | {pipelines} | programs |
| --- | {rule} | --- |
"""


def page(counts: Counts, total: int) -> str:
    """The table, passes that change the fewest programs first."""
    rows = sorted(counts, key=lambda name: (len(_everywhere(counts[name])), name))
    head = HEAD.format(count=total, pipelines=" | ".join(PIPELINES), rule=" | ".join("---:" for _ in PIPELINES))
    return head + "\n".join(_row(name, counts[name]) for name in rows) + "\n"


def _row(name: str, by_pipeline: dict[str, set[str]]) -> str:
    numbers = [str(len(by_pipeline[each])) if each in by_pipeline else "-" for each in PIPELINES]
    return f"| `{name}` | {' | '.join(numbers)} | {', '.join(sorted(_everywhere(by_pipeline))[:SEEN])} |"


def _everywhere(by_pipeline: dict[str, set[str]]) -> set[str]:
    return set().union(*by_pipeline.values()) if by_pipeline else set()
