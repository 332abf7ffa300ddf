"""Loops that become kernels: marked, with the memory that belongs to one iteration inside."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.lower.loops.builder import Frame, Loop
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.marks import LAUNCH


def mark_launch(emitter: Emitter, loop: Loop, frame: Frame, kind: str) -> None:
    """Marks an ended private loop as a launch and moves the buffers it has to itself into its iterations."""
    loop.op.attributes[LAUNCH] = ir.StringAttr.get(kind)
    keep_inside(emitter, loop, frame)


def keep_inside(emitter: Emitter, loop: Loop, frame: Frame) -> None:
    """Moves the buffers that an ended private loop has to itself into its iterations."""
    block = loop.op.regions[0].blocks[0]
    for buffer in frame.buffers:
        if buffer.level > emitter.builder.depth:
            continue
        buffer.value.owner.operation.move_before(block.operations[0])
        if buffer.dealloc is not None:
            buffer.dealloc.move_before(block.operations[len(block.operations) - 1])
