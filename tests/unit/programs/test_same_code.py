"""Where no loop runs backwards or keeps to a budget, the method `reversible` makes the code of `redundant`."""

from __future__ import annotations

import pytest
from programs_as_ir import values_and_adjoints

from programs import PROGRAMS
from programs.program import Program
from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.passes.ad.decisions import recording
from tapeless.passes.driver.pipeline import PassPipeline

ITS_OWN_WAYS = ("runs backwards", "keeps at most")


def core_ir(program: Program, method: str) -> tuple[str, list[str]]:
    """A program with its adjoint, after differentiation, and which ways its loops went back."""
    text, _ = values_and_adjoints(program, method)
    with shared_context(), recording() as ways:
        module = ir.Module.parse(text)
        PassPipeline.named("core").run(module)
        return str(module), list(ways)


@pytest.mark.one_in(54)
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_same_code(program: Program) -> None:
    found, ways = core_ir(program, "reversible")
    if not any(own in way for way in ways for own in ITS_OWN_WAYS):
        assert found == core_ir(program, "redundant")[0]
