"""det: a determinant by expansion along rows, which takes as many steps as there are permutations."""

from typing import Any

import numpy as np

import tapeless as tl
from tapeless.gradbench.problem import Problem, Task, as_lists, floats


@tl.function
def primal(a: tl.f64[:], ell: tl.i64) -> tl.f64:
    # The minors of the last rows, of given columns.
    def minor1(c0):
        return a[ell * (ell - 1) + c0]

    def minor2(c0, c1):
        row = ell * (ell - 2)
        return a[row + c0] * minor1(c1) - a[row + c1] * minor1(c0)

    def minor3(c0, c1, c2):
        row = ell * (ell - 3)
        return a[row + c0] * minor2(c1, c2) - a[row + c1] * minor2(c0, c2) + a[row + c2] * minor2(c0, c1)

    def minor4(c0, c1, c2, c3):
        row = ell * (ell - 4)
        even = a[row + c0] * minor3(c1, c2, c3) + a[row + c2] * minor3(c0, c1, c3)
        return even - a[row + c1] * minor3(c0, c2, c3) - a[row + c3] * minor3(c0, c1, c2)

    def term(choice):
        """The entries of one choice of columns in the first rows, times the minor that is left."""
        columns, product = tl.iota(ell), 1.0
        for row in range(ell - 4):
            k = row + choice % (ell - row)
            choice //= ell - row
            columns[row], columns[k] = columns[k], columns[row]
            entry = a[row * ell + columns[row]]
            product *= entry if k == row else -entry
        return product * minor4(columns[ell - 4], columns[ell - 3], columns[ell - 2], columns[ell - 1])

    if ell == 1:
        return minor1(0)
    elif ell == 2:
        return minor2(0, 1)
    elif ell == 3:
        return minor3(0, 1, 2)
    else:
        choices = 1
        for size in range(5, ell + 1):
            choices *= size
        return tl.sum(tl.map(term, tl.iota(choices)))


def arguments(given: dict[str, Any]) -> tuple[np.ndarray, int]:
    return floats(given["A"]), int(given["ell"])


PROBLEM: Problem = {"primal": Task(primal, arguments), "gradient": Task(tl.grad(primal), arguments, as_lists)}
