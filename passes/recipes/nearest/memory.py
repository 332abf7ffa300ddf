"""What the threads of a searching block share."""

from __future__ import annotations

from tapeless._mlir import ir, memref
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.tiles.folds.shuffles import WARP
from tapeless.passes.lower.tiles.shapes import BUFFERS, THREADS
from tapeless.passes.lower.tiles.staging import WORKGROUP
from tapeless.passes.recipes.nearest.table import COLUMNS, PLACES

# Columns start in other banks.
PITCH = PLACES + 4
WARPS = THREADS // WARP


@dataclass(frozen=True)
class BlockTables:
    """A tile of columns and half their norms, twice; what is found for rows; and what warps hand each other."""

    factors: ir.Value
    norms: ir.Value
    best: ir.Value
    second: ir.Value
    place: ir.Value
    largest_norms: ir.Value
    unsure: ir.Value
    unsure_of_warps: ir.Value
    best_of_warps: ir.Value
    place_of_warps: ir.Value

    @staticmethod
    def made() -> BlockTables:
        f32, word, index = ir.F32Type.get(), ir.IntegerType.get_signless(32), ir.IndexType.get()
        return BlockTables(
            _shared([BUFFERS, COLUMNS, PITCH], f32),
            _shared([BUFFERS, COLUMNS], f32),
            _shared([THREADS], f32),
            _shared([THREADS], f32),
            _shared([THREADS], word),
            _shared([WARPS], f32),
            _shared([THREADS], word),
            _shared([WARPS], word),
            _shared([WARPS], f32),
            _shared([WARPS], index),
        )


def wait() -> None:
    """All threads of the block come here before one goes on."""
    ir.Operation.create("gpu.barrier", [], [])


def _shared(sizes: list[int], element: ir.Type) -> ir.Value:
    return memref.alloca(ir.MemRefType.get(sizes, element, None, ir.Attribute.parse(WORKGROUP)), [], [])
