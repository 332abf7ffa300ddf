"""How blocks whose columns stay in shared memory are made up."""

from __future__ import annotations

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.machine import SHARED_OF_ANY_BLOCK
from tapeless.passes.lower.tiles.matrices import ROWS

# Steps start in other banks, of which the threads of half a warp read four.
PADDING = 4
# Steps are rounded up to this many.
STEPS_AT_ONCE = 16
# What a block may have on every generation, less what rows come to.
MOST_SHARED_BYTES = SHARED_OF_ANY_BLOCK - (7 << 10)


@dataclass(frozen=True)
class Form:
    """So many columns at a time, or at all if it `has_few`.

    A warp has `across` times 16 rows in a turn, and takes so many steps at a time.
    """

    columns: int
    across: int
    warps: int
    steps: int
    blocks_at_once: int
    has_few: bool = False

    @property
    def rows(self) -> int:
        """The rows of a block in a turn."""
        return self.warps * self.across * ROWS

    @property
    def pitch(self) -> int:
        return self.columns + PADDING

    @property
    def most_steps(self) -> int:
        return MOST_SHARED_BYTES // (8 * self.pitch) // STEPS_AT_ONCE * STEPS_AT_ONCE


# For few columns, and for any number of them.
FEW_COLUMNS, ANY_COLUMNS = Form(32, 2, 4, 8, 3, has_few=True), Form(64, 1, 4, 16, 2)
