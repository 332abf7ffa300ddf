"""Compiles loops IR through the vectoriser."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.abi import Abi, Parameter, Result
from tapeless.backend.compile import generate
from tapeless.passes.lower.llvm.to_llvm import ToLLVM
from tapeless.passes.lower.vectorise.vectorise import Vectorise
from tapeless.runtime.calling.calls import Calls


def vectorised(text: str, results: Sequence[Result], bits: int, dtype: str = "f64") -> tuple[str, Calls]:
    """The vector form of a kernel on two matrices, and its compiled code."""
    matrix = Parameter("array", dtype, (None, None))
    abi = Abi((matrix, matrix), tuple(results))
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(text.replace("ABI", json.dumps(abi.to_json())))
        Vectorise(vector_bits=bits).run(module)
        module.operation.verify()
        loops = str(module)
        ToLLVM().run(module)
        code = replace(generate(module), structure=tuple(range(len(results))))
    return loops, Calls(code, ("x", "y"), "kernel()")
