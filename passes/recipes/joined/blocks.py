"""Two contractions as one launch of blocks: a block makes a tile of the first, then the same tile of the second."""

from __future__ import annotations

from tapeless._mlir import ir, scf
from tapeless.passes.lower.tiles.blocks import Tile, number_of_tiles
from tapeless.passes.lower.tiles.contraction import Contraction
from tapeless.passes.lower.tiles.index_arithmetic import mul, number, positions, product
from tapeless.passes.lower.tiles.scopes import Scope
from tapeless.passes.lower.tiles.shapes import THREADS, Shape
from tapeless.passes.marks import EACH_BLOCK, LAUNCH
from tapeless.passes.marks import THREADS as SHARED
from tapeless.passes.recipes.joined.found import Joined


def launch_joined(joined: Joined, shape: Shape) -> None:
    """A launch that does what both nests do, at the insertion point; both take turns with the same shared memory."""
    columns, rows, batches = number_of_tiles(joined.second, shape)
    launch = scf.ForOp(number(0), product([columns, rows, batches]), number(1))
    launch.operation.attributes[LAUNCH] = ir.StringAttr.get(EACH_BLOCK)
    with ir.InsertionPoint(launch.body):
        batch, row, column = positions(launch.induction_variable, [batches, rows, columns])
        firsts = [mul(row, shape.extent), mul(column, shape.extent)]
        threads = scf.ForOp(number(0), number(THREADS), number(1))
        threads.operation.attributes[SHARED] = ir.UnitAttr.get()
        with ir.InsertionPoint(threads.body):
            thread = threads.induction_variable
            before = Tile(joined.first, shape, _block(joined.first, batch), firsts, thread)
            sums = before.run(number(0), joined.first.reduction.operands[1], before.starts())
            ir.Operation.create("gpu.barrier", [], [])
            memory = [staging.memory for staging in before.staging]
            tile = Tile(joined.second, shape, _block(joined.second, batch), firsts, thread, memory)
            reduced = tile.run(number(0), joined.second.reduction.operands[1], tile.starts())
            tile.finish(reduced, {joined.load.results[0]: lambda pair: _stored(joined, before, sums, pair)})
            scf.YieldOp([])
        scf.YieldOp([])


def _block(contraction: Contraction, batch: ir.Value) -> Scope:
    """The loops of batches in a block."""
    places = positions(batch, [contraction.count(each) for each in contraction.batch])
    variables = [contraction.variable(each) for each in contraction.batch]
    return Scope(contraction.values, (), dict(zip(variables, places, strict=True)))


def _stored(joined: Joined, tile: Tile, sums: list[ir.Value], pair: int) -> ir.Value:
    """What the first nest would store for a row and a column of this thread."""
    results = joined.first.reduction.results
    bound = dict(zip(results, sums[pair * len(results) : (pair + 1) * len(results)], strict=True))
    return Scope(joined.first.values, (tile.pairs[pair],), bound).value(joined.store.operands[0])
