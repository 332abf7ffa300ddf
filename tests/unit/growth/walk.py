"""How compile time grows with the shipped limits: `python tests/unit/growth/walk.py [family ...]` or `make growth`.

Every family is compiled with 100, 200 and 400 statements. Prints per form the exponents of both doublings and the
seconds of CPU time at the end, and fails when compiling 400 statements takes more than 2 ** 1.3 times what 200 take.
"""

from __future__ import annotations

import math
import sys
import time
from itertools import pairwise

from compile_work import compile_to_llvm, program_of
from families import FAMILIES

SIZES, FORMS, STEEPEST = (100, 200, 400), ("value", "gradient"), 1.3


def seconds(family: str, form: str, n: int) -> float:
    """The CPU time of the frontend and of every pass."""
    function = program_of(family, form, n)
    start = time.process_time()
    compile_to_llvm(function)
    return time.process_time() - start


def walk(family: str, form: str) -> bool:
    """Prints how one family grows; whether it is slowly enough."""
    times = [seconds(family, form, n) for n in SIZES]
    exponents = [math.log2(later / earlier) for earlier, later in pairwise(times)]
    print(f"{family:20} {form:9} {exponents[0]:6.2f} {exponents[1]:6.2f} {times[-1]:8.2f} s", flush=True)
    return exponents[-1] < STEEPEST


def main(families: list[str]) -> int:
    """Walks the named families, or all; the number of those that grow too fast."""
    seconds("ifs of arrays", "gradient", 1)  # imports the passes
    print(f"{'family':20} {'form':9} {'->200':>6} {'->400':>6} {'at 400':>8}")
    return sum(not walk(family, form) for family in families or FAMILIES for form in FORMS)


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
