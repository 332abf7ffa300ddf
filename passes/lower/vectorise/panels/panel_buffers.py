"""The buffers of a vectorised loop's panels: a chunk of blocks of each, filled and read block by block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from tapeless._mlir import arith, ir, memref, scf
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.build import index
from tapeless.passes.ir.machine import CPUS
from tapeless.passes.lower.vectorise.panels.panel_copies import PanelCopy, Places, each_place
from tapeless.passes.lower.vectorise.panels.panels import Panel
from tapeless.passes.lower.vectorise.panels.stretches import Stretch, Stretches, Waiting

# Doubles that the larger of the second-level caches holds.
CHUNK_ELEMENTS = CPUS["x86_64"].second_level // 8


def blocks_in_cache(panels: Sequence[Panel], lanes: int, stretches: Stretches | None, iterations: ir.Value) -> ir.Value:
    """How many blocks of all panels fit into a part of the second-level cache, or are needed; at least one."""
    in_block = index(0)
    for panel in panels:
        elements = index(lanes)
        for size in panel.sizes() if stretches is None else [stretches.size]:
            elements = arith.MulIOp(elements, size).result
        in_block = arith.AddIOp(in_block, elements).result
    fitting = arith.DivUIOp(index(CHUNK_ELEMENTS), arith.MaxSIOp(in_block, index(1)).result).result
    needed = arith.CeilDivSIOp(iterations, index(lanes)).result
    return arith.MaxSIOp(arith.MinSIOp(fitting, needed).result, index(1)).result


class Panels:
    """Buffers with an axis for blocks, one per inner loop, and one for lanes; of a loop that is cut, for a stretch.

    With `waits`, sums wait for the next stretch behind the panels of the first buffer.
    """

    def __init__(
        self,
        panels: Sequence[Panel],
        lanes: int,
        blocks: ir.Value,
        stretches: Stretches | None,
        *,
        waits: bool = False,
    ) -> None:
        """Allocates them for so many blocks of so many iterations."""
        self.lanes = lanes
        self.blocks = blocks
        self.stretches = stretches
        self.stretch: Stretch | None = None
        self.buffers = {panel: self._allocate(panel, waits and not k) for k, panel in enumerate(panels)}
        self.block = index(0)

    @property
    def size(self) -> ir.Value:
        """How many iterations the buffers hold."""
        return arith.MulIOp(self.blocks, index(self.lanes)).result

    def fill(self, begin: ir.Value, end: ir.Value) -> None:
        """Copies the blocks from iteration `begin` to `end`; the last one starts early enough to be full."""
        for panel, buffer in self.buffers.items():
            copy = PanelCopy(panel, buffer, self.stretch)
            if panel.is_contiguous:
                each_place(copy.sizes(), partial(self._copy_vectors, copy, begin, end))
            else:
                self._each_block(begin, end, copy.transposed)
        self.block = index(0)

    def _copy_vectors(self, copy: PanelCopy, begin: ir.Value, end: ir.Value, at: Places) -> None:
        """Copies the lanes of all blocks at one place, in the order of memory."""
        self._each_block(begin, end, partial(copy.vectors, at))

    def fill_first(self, first: ir.Value, final: ir.Value) -> None:
        """Copies one block that begins at `first`; iterations after the `final` one are as that."""
        end = arith.AddIOp(first, index(self.lanes - 1)).result
        for panel, buffer in self.buffers.items():
            copy = PanelCopy(panel, buffer, self.stretch)
            choice = scf.IfOp(arith.CmpIOp(arith.CmpIPredicate.sle, end, final).result, has_else=True)
            with ir.InsertionPoint(choice.then_block):
                each_place(copy.sizes(), partial(copy.vectors, block=self.block, start=first))
                scf.YieldOp([])
            with ir.InsertionPoint(choice.else_block):
                each_place(copy.sizes(), partial(copy.elements, block=self.block, start=first, final=final))
                scf.YieldOp([])

    def _each_block(self, begin: ir.Value, end: ir.Value, visit: Callable[[ir.Value, ir.Value], None]) -> None:
        """Loops over the blocks, of which `visit` gets the number and the first iteration."""
        last = arith.SubIOp(end, index(self.lanes)).result
        blocks = scf.ForOp(begin, end, index(self.lanes))
        with ir.InsertionPoint(blocks.body):
            self.enter(arith.SubIOp(blocks.induction_variable, begin).result)
            visit(self.block, arith.MinSIOp(blocks.induction_variable, last).result)
            scf.YieldOp([])

    def enter(self, offset: ir.Value) -> None:
        """Says how far from the beginning of the chunk the block at hand is."""
        self.block = arith.DivUIOp(offset, index(self.lanes)).result

    def place(self, panel: Panel, at: Sequence[ir.Value], lane: int = 0) -> tuple[ir.Value, list[ir.Value]]:
        """The buffer and the indices of a lane of the block at hand."""
        if self.stretch is not None:
            at = [arith.SubIOp(at[0], self.stretch.begin).result]
        return self.buffers[panel], [self.block, *at, index(lane)]

    def waiting(self, tile: ir.Value, sums: int) -> Waiting:
        """Where so many sums of the block at hand wait, for the rows that run together as the tile of a number."""
        assert self.stretches is not None
        before = arith.MulIOp(tile, index(sums)).result
        buffer = next(iter(self.buffers.values()))
        return Waiting(buffer, self.block, arith.AddIOp(self.stretches.size, before).result)

    def free(self) -> None:
        """Gives the buffers back."""
        for buffer in self.buffers.values():
            memref.DeallocOp(buffer)

    def _allocate(self, panel: Panel, waits: bool) -> ir.Value:
        element = ir.MemRefType(panel.array.type).element_type
        places = panel.sizes() if self.stretches is None else [self.stretches.length(waits)]
        sizes = [self.blocks, *places]
        type_ = ir.MemRefType.get([DYNAMIC] * len(sizes) + [self.lanes], element)
        alignment = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 64)
        return memref.AllocOp(type_, sizes, [], alignment=alignment).result
