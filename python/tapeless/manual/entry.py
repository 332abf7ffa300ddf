"""The manual's entry of an operator beside its signature and its sentence."""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """An example, and its result; the shapes it takes and gives; its derivative.

    An example is an expression of the language, or, with `>>>`, a session with Python. The derivatives of a function of
    numbers are formulas of its parameters, one for each: tests compare them with the compiled ones.
    """

    example: str
    result: str
    shapes: str
    derivative: str | tuple[str, ...]


ELEMENTWISE = "elementwise; arrays broadcast as in numpy"
FLAT = "0: it is constant between its steps"
CONDITION = "none: the result is a bool"
INTEGERS = "none: the result is an integer"
LINEAR = "linear: the tangent goes the same way, the adjoint back"
