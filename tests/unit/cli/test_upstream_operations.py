"""MLIR's own operations through pipelines and passes: each comes out, or is refused at its line; no fault, no crash."""

from __future__ import annotations

import io
import re

import pytest
from upstream_operations import OPERATIONS, PLACES, text_of

from tapeless.optimizer.driver import optimize
from tapeless.optimizer.settings import Settings
from tapeless.optimizer.source import Source
from tapeless.passes.driver.pipeline import PassPipeline

PIPELINES = [
    PassPipeline.parse(f"builtin.module({text})")
    for text in ("core", "cpu", "cuda", "lower-loops", "soac-simplify", "soac-tabulate,soac-fuse")
]
NAME = "case.mlir"
REFUSED = re.compile(rf"{re.escape(NAME)}:\d+:\d+: error: ")


@pytest.mark.one_in(20)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_each_is_lowered_or_refused_at_its_line(operation: str, place: str) -> None:
    text = text_of(operation, place)
    for pipeline in PIPELINES:
        log = io.StringIO()
        outcome = optimize(Source(NAME, text.encode()), Settings(pipeline=pipeline), log)
        said = log.getvalue()
        assert "internal error" not in said, (pipeline, said)
        assert outcome.succeeded or REFUSED.match(said), (pipeline, said)
