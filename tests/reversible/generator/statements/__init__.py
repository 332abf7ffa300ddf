"""Statements: tables of updates, moves, blocks and calls."""

from __future__ import annotations

from fuzz.writing import Stuck
from reversible.generator.draft import Draft
from reversible.generator.statements.ancillas import ANCILLAS
from reversible.generator.statements.branches import BRANCHES
from reversible.generator.statements.calls import call
from reversible.generator.statements.loops import LOOPS
from reversible.generator.statements.moves import MOVES
from reversible.generator.statements.updates import UPDATES

DEEPEST = 3


def statements(d: Draft) -> None:
    """A few statements, fewer the deeper they stand."""
    for _ in range(d.rng.choice((1, 1, 2, 3)) if d.depth else d.rng.choice((2, 3, 4, 5))):
        try:
            statement(d)
        except Stuck:
            continue


def statement(d: Draft) -> None:
    kind = d.rng.choices(("update", "move", "branch", "loop", "ancilla", "call"), (45, 18, 10, 13, 10, 8))[0]
    if d.depth >= DEEPEST and kind in ("branch", "loop", "ancilla"):
        kind = "update"
    if kind == "update":
        d.first_that_works(UPDATES)
    elif kind == "move":
        d.first_that_works(MOVES)
    elif kind == "call":
        call(d)
    else:
        d.first_that_works({"branch": BRANCHES, "loop": LOOPS, "ancilla": ANCILLAS}[kind], statements)
