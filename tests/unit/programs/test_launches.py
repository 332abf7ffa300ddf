"""Launch plans of all programs, with their derivatives: none is refused, and all kernels are launched."""

from __future__ import annotations

import json
from typing import Any

import pytest
from programs_as_ir import values_and_adjoints

from programs import PROGRAMS
from programs.axes import METHODS
from programs.program import Program
from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.abi import PLAN_ATTRIBUTE
from tapeless.passes.driver.pipeline import PassPipeline


def lowered(text: str, method: str) -> tuple[ir.Module, dict[str, Any]]:
    """A program after all passes of the target, and its plan."""
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        PassPipeline.named(f"{method}-cuda").run(module)
        assert module.operation.verify()
        return module, json.loads(ir.StringAttr(module.operation.attributes[PLAN_ATTRIBUTE]).value)


def kernels_launched(steps: list[dict[str, Any]]) -> list[str]:
    """The names of all kernels that steps launch, those in loops and branches too."""
    found = []
    for step in steps:
        if step["do"] == "launch":
            found.append(step["kernel"])
        for key in ("body", "then", "else", "before", "after"):
            found += kernels_launched(step.get(key, []))
    return found


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_program_has_a_plan(program: Program) -> None:
    """Methods take turns: what follows differentiation is the same for all."""
    method = METHODS[list(PROGRAMS).index(program.name) % len(METHODS)]
    module, plan = lowered(values_and_adjoints(program, method)[0], method)
    (kernels,) = [op for op in module.body if op.operation.name == "gpu.module"]
    functions = [op for op in kernels.regions[0].blocks[0] if op.operation.name == "gpu.func"]
    names = [ir.StringAttr(function.attributes["sym_name"]).value for function in functions]
    assert names == list(plan["kernels"]) == sorted(set(kernels_launched(plan["steps"])), key=names.index)
    assert plan["steps"][-1]["do"] == "return"
