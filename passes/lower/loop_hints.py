"""What LLVM is told about loops: not to unroll those of unknown length, which costs time and gains nothing."""

from __future__ import annotations

from tapeless._mlir import ir

ATTRIBUTE = "loop_annotation"
UNROLL = "unroll = <runtimeDisable = true>"
SUMMING = f"#llvm.loop_annotation<{UNROLL}>"
MAPPING = f"#llvm.loop_annotation<{UNROLL}, interleave = <count = 1 : i32>>"


def annotate_loops(module: ir.Module) -> None:
    """Annotates every loop that has no annotation; only loops that carry values gain from several vectors at a time."""
    summing, mapping = ir.Attribute.parse(SUMMING), ir.Attribute.parse(MAPPING)

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name == "scf.for" and ATTRIBUTE not in op.attributes:
            op.attributes[ATTRIBUTE] = summing if len(op.results) else mapping
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
