"""MLIR's own operations through pipelines and passes: each comes out, or is refused at its line; no fault, no crash."""

from __future__ import annotations

import io
import itertools
import re

import pytest
from upstream_operations import OPERATIONS, PLACES, text_of

from tapeless._mlir import arith, ir, math
from tapeless.optimizer.driver import optimize
from tapeless.optimizer.settings import Settings
from tapeless.optimizer.source import Source
from tapeless.passes.driver.pipeline import PassPipeline

PIPELINES = [
    PassPipeline.parse(f"builtin.module({text})")
    for text in ("core", "cpu", "cuda", "lower-loops", "soac-simplify", "soac-map-before-gather,soac-fuse")
]
NAME = "case.mlir"
REFUSED = re.compile(rf"{re.escape(NAME)}:\d+:\d+: error: ")


@pytest.mark.one_in(154)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_each_is_lowered_or_refused_at_its_line(operation: str, place: str) -> None:
    check(text_of(operation, place), PIPELINES)


def check(text: str, pipelines: list[PassPipeline]) -> None:
    for pipeline in pipelines:
        log = io.StringIO()
        outcome = optimize(Source(NAME, text.encode()), Settings(pipeline=pipeline), log)
        said = log.getvalue()
        assert "internal error" not in said, (pipeline, said)
        assert outcome.succeeded or REFUSED.match(said), (pipeline, said)


NAMES = (getattr(each, "OPERATION_NAME", "") for dialect in (arith, math) for each in vars(dialect).values())
SCALAR_OPERATIONS = sorted({name for name in NAMES if re.match(r"(arith|math)\.", name)})


def on_scalars(name: str) -> str | None:
    """A function that applies an operation to its arguments, of the first types that it takes."""
    kinds = ("f64", "i64", "i32", "i1")
    attributes = "<{predicate = 1 : i64}>" if name.startswith("arith.cmp") else ""
    for count, given, made in itertools.product((1, 2, 3), kinds, kinds):
        names = [f"%a{k}" for k in range(count)]
        text = (
            f"func.func @f({', '.join(f'{each}: {given}' for each in names)}) -> {made} {{\n"
            f'  %y = "{name}"({", ".join(names)}) {attributes} : ({", ".join([given] * count)}) -> {made}\n'
            f"  return %y : {made}\n}}\n"
        )
        try:
            with ir.Context():
                ir.Module.parse(text)
        except ir.MLIRError:
            continue
        return text
    return None


@pytest.mark.one_in(24)
@pytest.mark.parametrize("name", SCALAR_OPERATIONS)
def test_each_operation_on_scalars_has_code_or_is_refused(name: str) -> None:
    if text := on_scalars(name):
        check(text, PIPELINES[1:3])
