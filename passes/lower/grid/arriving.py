"""Copies from memory to the shared memory of a block that are under way while their threads do something else."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.lower.llvm.descriptor import as_word

# Of so many bytes each.
WIDTHS = (4, 8, 16)
COPY, WAIT = "cp.async.{}.shared.global [$0], [$1], {};", "cp.async.wait_all;"
# The longest go past the cache of the processor.
CACHES = {16: "cg"}


def send(source: ir.Value, target: ir.Value, width: int) -> None:
    """Starts a copy of some bytes from one address to another, of shared memory."""
    _instruction(COPY.format(CACHES.get(width, "ca"), width), "l,l,~{memory}", [as_word(target), as_word(source)])


def wait_for_all() -> None:
    """Waits until everything that the thread has sent has arrived."""
    _instruction(WAIT, "~{memory}", [])


def _instruction(text: str, constraints: str, operands: Sequence[ir.Value]) -> None:
    attributes = {
        "asm_string": ir.StringAttr.get(text),
        "constraints": ir.StringAttr.get(constraints),
        "has_side_effects": ir.UnitAttr.get(),
    }
    ir.Operation.create("llvm.inline_asm", [], operands, attributes)
