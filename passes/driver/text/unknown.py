"""Messages for names that no pass and no pipeline has."""

from __future__ import annotations

from tapeless.methods import IMPLEMENTED
from tapeless.passes.driver.upstream_table import SUMMARIES
from tapeless.passes.tables import PASSES, PIPELINES
from tapeless.spelling import suggestion


def known_names() -> list[str]:
    """Every name that can stand in a pipeline and that Tapeless knows without asking MLIR."""
    return [*PASSES, *PIPELINES, *SUMMARIES]


def unknown_pass(name: str) -> str:
    """The message for a name that neither Tapeless nor MLIR knows."""
    return missing_pipeline(name) or f"unknown pass '{name}'{suggestion(name, known_names())}"


def unknown_pipeline(name: str) -> str:
    """The message for a name that is not in `PIPELINES`."""
    return missing_pipeline(name) or f"unknown pipeline '{name}'{suggestion(name, PIPELINES)}"


def missing_pipeline(name: str) -> str | None:
    """The message for a pipeline of a method for a target that there is not."""
    if name.partition("-")[0] not in IMPLEMENTED:
        return None
    return f"there is no pipeline '{name}'; pipelines are {', '.join(PIPELINES)}"
