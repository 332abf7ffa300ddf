"""`lower-tiles`: launched contractions become launches of blocks with tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import arith, ir, scf
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes import constant_int
from tapeless.passes.lower.tiles.blocks import launch_tiles
from tapeless.passes.lower.tiles.contraction import Contraction, contraction_of
from tapeless.passes.lower.tiles.index_arithmetic import at_least, is_at_least, product
from tapeless.passes.lower.tiles.shapes import LARGE, Shape, shapes_for
from tapeless.passes.marks import LAUNCH

# Fewer rows or columns leave most of a tile empty.
FEWEST = 16
FEWEST_STEPS = 8
# Blocks of large tiles that keep a GPU busy.
FEWEST_LARGE = 128


@dataclass(frozen=True)
class Tiles:
    """Launches products of matrices, and whatever reads its operands like one, in blocks with tiles.

    ```mlir
    scf.for %i { scf.for %j {                            scf.for %block {
      %s = scf.for %k iter_args(%t = %zero) {              scf.for %thread = %c0 to %c256 {
        %x = memref.load %a[%i, %k]                          scf.for %tile ... {
        %y = memref.load %b[%k, %j]                            // a tile of %a and one of %b to shared memory
        %p = arith.mulf %x, %y                                 gpu.barrier
        %u = arith.addf %t, %p                                 // 8 x 8 sums in registers
        scf.yield %u                                         }
      }                                                      // stores
      memref.store %s, %c[%i, %j]                          } {tapeless.threads}
    } } {tapeless.launch = "each thread"}                } {tapeless.launch = "each block"}
    ```
    Sizes, found at run time, decide between shapes of tiles and the nest as it was. From `generation` 90 on, sums of
    products of doubles are made by instructions for small matrices (`matrices.py`).
    """

    name: ClassVar[str] = "lower-tiles"
    generation: int = 80

    def run(self, module: ir.Module) -> None:
        module.context.dialects["gpu"]
        with module.context, ir.Location.unknown():
            for view in ops_named(module.operation.opview, "scf.for"):
                if LAUNCH in view.operation.attributes:
                    contraction = contraction_of(view.operation)
                    if contraction is not None:
                        tile(contraction, self.generation)


def tile(contraction: Contraction, generation: int) -> None:
    """Puts the launches of all shapes that fit beside the nest, each for the sizes that it is for."""
    launched = contraction.loops[0]
    for shape in shapes_for(contraction, generation):
        with ir.InsertionPoint(launched), launched.location:
            pays = _pays(contraction, shape)
            if pays is False:
                continue
            if pays is True:
                launch_tiles(contraction, shape)
                launched.erase()
                return
            branch = scf.IfOp(pays, has_else=True)
            with ir.InsertionPoint(branch.then_block):
                launch_tiles(contraction, shape)
                scf.YieldOp([])
            with ir.InsertionPoint(branch.else_block):
                end = scf.YieldOp([])
        launched.move_before(end.operation)


def _pays(contraction: Contraction, shape: Shape) -> ir.Value | bool:
    """Whether tiles of a shape are for the sizes of a nest, if that is known now, or the condition."""
    groups = contraction.rows.loops, contraction.columns.loops, contraction.batch
    rows, columns, batch = ([contraction.count(each) for each in group] for group in groups)
    length = contraction.reduction.operands[1]
    wanted = [(rows, FEWEST), (columns, FEWEST), ([length], FEWEST_STEPS)]
    if shape.each == LARGE:
        wanted.append(([*batch, *rows, *columns], FEWEST_LARGE * shape.extent**2))
    conditions: list[ir.Value] = []
    for counts, least in wanted:
        known = [constant_int(count) for count in counts]
        if None not in known:
            total = 1
            for count in known:
                total *= max(count or 0, 0)
            if total < least:
                return False
        else:
            conditions.append(is_at_least(product([at_least(count, 0) for count in counts]), least))
    condition: ir.Value | bool = True
    for each in conditions:
        condition = each if condition is True else arith.andi(condition, each)
    return condition
