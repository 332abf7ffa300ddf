"""How many steps a strip has, if the states between strips are kept and those inside are computed again."""

from __future__ import annotations

import math


def divisor_near_root(steps: int) -> int:
    """The divisor of a number that is nearest to its root."""
    return min((d for d in range(1, steps + 1) if steps % d == 0), key=lambda d: abs(d - math.sqrt(steps)))
