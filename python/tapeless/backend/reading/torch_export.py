"""Exported programs of PyTorch as bytecode of StableHLO, by the bindings that come with them."""

from __future__ import annotations

import io
from typing import Any

from tapeless._mlir import ir, passmanager, stablehlo, torch_fx
from tapeless.errors import PipelineError

STATIC = "builtin.module(func.func(stablehlo-canonicalize-dynamism))"
"""Operations that are given their shape, which is a constant, become those that have it in their type."""


def stablehlo_of(exported: Any) -> bytes:
    """The bytecode of an exported program, whose function is `main`."""
    try:
        module = torch_fx().export_and_import(exported, output_type="stablehlo", func_name="main")
    except (ir.MLIRError, RuntimeError, NotImplementedError, AssertionError) as error:
        lines = [line for line in str(error).splitlines() if "error:" in line] or str(error).splitlines()
        reason = lines[0].strip() if lines else type(error).__name__
        raise PipelineError(
            f"the exported graph has no translation to StableHLO: {reason}; write this part with other operations"
        ) from None
    stablehlo()  # makes its passes known
    passmanager.PassManager.parse(STATIC, module.context).run(module.operation)
    written = io.BytesIO()
    module.operation.write_bytecode(written)
    return written.getvalue()
