"""The launch of a search: blocks of 256 rows and threads.

Scores first (`scores.py`); then a thread for each row makes the sum of squares for the best column and sees whether it
is the smallest (`proof.py`); rows for which that is not sure are done by the whole block, one after the other.
"""

from __future__ import annotations

from tapeless._mlir import ir, scf
from tapeless.passes.lower.tiles.blocks import total_of
from tapeless.passes.lower.tiles.index_arithmetic import mul, number, rounded_up
from tapeless.passes.lower.tiles.shapes import BLOCKS_AT_ONCE, THREADS
from tapeless.passes.marks import EACH_BLOCK, LAUNCH, RESIDENT
from tapeless.passes.marks import THREADS as SHARED
from tapeless.passes.recipes.nearest.found import Nearest
from tapeless.passes.recipes.nearest.memory import BlockTables
from tapeless.passes.recipes.nearest.proof import Proof
from tapeless.passes.recipes.nearest.scores import ROWS, Scores
from tapeless.passes.recipes.nearest.table import ColumnTable


def launch_search(nearest: Nearest) -> None:
    """Launches that do what the nest does, at the insertion point."""
    contraction = nearest.fold.contraction
    table = ColumnTable.made(nearest)
    blocks = rounded_up(total_of(contraction, contraction.rows.loops), ROWS)
    launch = scf.ForOp(number(0), blocks, number(1))
    launch.operation.attributes[LAUNCH] = ir.StringAttr.get(EACH_BLOCK)
    launch.operation.attributes[RESIDENT] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), BLOCKS_AT_ONCE)
    with ir.InsertionPoint(launch.body):
        memory = BlockTables.made()
        first = mul(launch.induction_variable, ROWS)
        threads = scf.ForOp(number(0), number(THREADS), number(1))
        threads.operation.attributes[SHARED] = ir.UnitAttr.get()
        with ir.InsertionPoint(threads.body):
            thread = threads.induction_variable
            Scores(nearest, table, memory, first, thread).run()
            Proof(nearest, table, memory, first, thread).run()
            scf.YieldOp([])
        scf.YieldOp([])
    table.free()
