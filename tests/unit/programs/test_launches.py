"""Every program with its derivatives on the emulated GPU, against the CPU; methods take turns."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from programs_as_ir import values_and_adjoints

from emulated_gpu.fake_gpu import FakeGpu
from emulated_gpu.kernels import emulated_image
from programs import PROGRAMS
from programs.axes import METHODS
from programs.program import Program
from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.backend.compile import CompileOptions, compile_module
from tapeless.backend.ptx import gpu_machine
from tapeless.backend.targets import CPU, CUDA, Target
from tapeless.runtime.calling.calls import Calls
from tapeless.runtime.code import CompiledCode
from tapeless.runtime.cuda.calls import CudaCalls

EMULATED = replace(CUDA, machine=lambda: gpu_machine("sm_90"), generate=emulated_image)


def compiled(text: str, target: Target, method: str) -> CompiledCode:
    """The code of a module, which gives back all results as a tuple."""
    with shared_context(), ir.Location.unknown():
        options = CompileOptions(machine=target.machine(), target=target, method=method)
        code = compile_module(ir.Module.parse(text), options)
    return replace(code, structure=tuple(range(len(code.abi.results))))


def kernels_launched(steps: list[dict[str, Any]]) -> set[str]:
    """The names of all kernels that steps launch, those in loops and branches too."""
    found = {step["kernel"] for step in steps if step["do"] == "launch"}
    inner = [step.get(key, []) for step in steps for key in ("body", "then", "else", "before", "after")]
    return found.union(*map(kernels_launched, inner))


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_program(program: Program) -> None:
    method = METHODS[list(PROGRAMS).index(program.name) % len(METHODS)]
    text, arguments = values_and_adjoints(program, method)
    names = [f"argument{k}" for k in range(len(arguments))]
    code, gpu = compiled(text, EMULATED, method), FakeGpu(seed=len(text))
    plan = json.loads(code.image.plan)
    assert kernels_launched(plan["steps"]) == set(plan["kernels"])
    found = CudaCalls(code, names, "f", gpu).general(*copy.deepcopy(arguments))
    gpu.check_guards()
    wanted = Calls(compiled(text, CPU, method), names, "f").general(*copy.deepcopy(arguments))
    for one, other in zip(found, wanted, strict=True):
        assert np.asarray(one).dtype.kind == np.asarray(other).dtype.kind
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)
