"""Statements of reversible procedures."""

from __future__ import annotations

from tapeless.lang.operator import one, operator, table

PROCEDURES = table(
    ancilla=operator(lambda value, exit=None, dtype=None: None, "A cell for the length of a `with` block."),
    routine=operator(lambda: None, "What a `with` block computes, to be undone by `~r`."),
    cond=operator(lambda pre, post: None, "A condition that holds before, and one that says so afterwards."),
    recip=one("Replaces a cell by its reciprocal."),
    rot=operator(lambda a, b, theta: None, "Rotates two cells by an angle."),
    hadamard=operator(lambda a, b: None, "Replaces two cells by (a + b) / sqrt(2) and (a - b) / sqrt(2)."),
    new_stack=operator(lambda dtype, capacity: None, "An empty stack, for `tl.ancilla`."),
    push=operator(lambda stack, x: None, "Moves a scalar cell to a stack and leaves 0 in it."),
    pop=operator(lambda stack, x: None, "Moves the top of a stack to a scalar cell, which must be 0."),
)
