"""The buffers of a vectorised loop's panels: a chunk of blocks of each, filled and read block by block."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, memref, scf
from tapeless.passes.lower.spmd.panel_copies import copy_block
from tapeless.passes.lower.spmd.panels import Panel
from tapeless.passes.soac.build import index

CHUNK_ELEMENTS = 128 * 1024


def blocks_in_cache(panels: Sequence[Panel], lanes: int) -> ir.Value:
    """How many blocks of all panels fit into a part of the second-level cache; at least one."""
    in_block = index(0)
    for panel in panels:
        elements = index(lanes)
        for size in panel.sizes():
            elements = arith.MulIOp(elements, size).result
        in_block = arith.AddIOp(in_block, elements).result
    fitting = arith.DivUIOp(index(CHUNK_ELEMENTS), arith.MaxSIOp(in_block, index(1)).result).result
    return arith.MaxSIOp(fitting, index(1)).result


class Panels:
    """Buffers with an axis for blocks, one per inner loop, and one for lanes."""

    def __init__(self, panels: Sequence[Panel], lanes: int, register: int, blocks: ir.Value) -> None:
        """Allocates them for so many blocks of so many iterations, of which a register holds `register`."""
        self.lanes = lanes
        self.register = register
        self.blocks = blocks
        self.buffers = {panel: self._allocate(panel) for panel in panels}
        self.block = index(0)

    @property
    def size(self) -> ir.Value:
        """How many iterations the buffers hold."""
        return arith.MulIOp(self.blocks, index(self.lanes)).result

    def fill(self, begin: ir.Value, end: ir.Value) -> None:
        """Copies the blocks from iteration `begin` to `end`; the last one starts early enough to be full."""
        if not self.buffers:
            return
        last = arith.SubIOp(end, index(self.lanes)).result
        blocks = scf.ForOp(begin, end, index(self.lanes))
        with ir.InsertionPoint(blocks.body):
            self.enter(arith.SubIOp(blocks.induction_variable, begin).result)
            start = arith.MinSIOp(blocks.induction_variable, last).result
            for panel, buffer in self.buffers.items():
                copy_block(panel, start, buffer, self.block, self.register)
            scf.YieldOp([])
        self.block = index(0)

    def enter(self, offset: ir.Value) -> None:
        """Says how far from the beginning of the chunk the block at hand is."""
        self.block = arith.DivUIOp(offset, index(self.lanes)).result

    def place(self, panel: Panel, at: Sequence[ir.Value], lane: int = 0) -> tuple[ir.Value, list[ir.Value]]:
        """The buffer and the indices of a lane of the block at hand."""
        return self.buffers[panel], [self.block, *at, index(lane)]

    def free(self) -> None:
        """Gives the buffers back."""
        for buffer in self.buffers.values():
            memref.DeallocOp(buffer)

    def _allocate(self, panel: Panel) -> ir.Value:
        element = ir.MemRefType(panel.array.type).element_type
        sizes = [self.blocks, *panel.sizes()]
        type_ = ir.MemRefType.get([ir.ShapedType.get_dynamic_size()] * len(sizes) + [self.lanes], element)
        alignment = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 64)
        return memref.AllocOp(type_, sizes, [], alignment=alignment).result
