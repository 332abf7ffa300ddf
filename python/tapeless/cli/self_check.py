"""The program that `tapeless doctor` compiles and runs."""

# mypy: ignore-errors
# The annotations are types of the language, which mypy cannot read.

import numpy as np

import tapeless as tl


@tl.function
def sum_of_squares(x: tl.f64[:]) -> tl.f64:
    return tl.sum(x * x)


def self_check() -> str:
    """Compiles a small function and compares its result with the known one."""
    value = sum_of_squares(np.arange(4.0))
    if value != 14.0:
        raise ArithmeticError(f"the sum of squares of 0, 1, 2, 3 came out as {value}")
    return "a kernel was compiled and gave the right result"
