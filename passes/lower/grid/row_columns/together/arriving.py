"""Copies from memory to the shared memory of a block that are under way while their threads do something else."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.lower.loops.builder import Builder, Index

# Of so many bytes each.
WIDTHS = (4, 8, 16)
COPY, WAIT = "cp.async.ca.shared.global [$0], [$1], {};", "cp.async.wait_all;"


def address_of(builder: Builder, memory: ir.Value) -> ir.Value:
    """Where memory begins, in bytes."""
    return builder.value("memref.extract_aligned_pointer_as_index", builder.index, [memory])


def send(builder: Builder, source: Index, target: Index, width: int) -> None:
    """Starts a copy of some bytes from one address to another, of shared memory."""
    word = ir.IntegerType.get_signless(64)
    operands = [builder.value("arith.index_cast", word, [builder.as_value(each)]) for each in (target, source)]
    _instruction(builder, COPY.format(width), "l,l,~{memory}", operands)


def wait_for_all(builder: Builder) -> None:
    """Waits until everything that the thread has sent has arrived."""
    _instruction(builder, WAIT, "~{memory}", [])


def _instruction(builder: Builder, text: str, constraints: str, operands: list[ir.Value]) -> None:
    attributes = {
        "asm_string": ir.StringAttr.get(text),
        "constraints": ir.StringAttr.get(constraints),
        "has_side_effects": builder.unit,
    }
    builder.create("llvm.inline_asm", [], operands, attributes)
