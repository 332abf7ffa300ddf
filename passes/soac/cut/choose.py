"""Chooses the values that are stored for the return sweep: a minimum cut between rows and their readers."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.ir.sizes.sizes import can_write
from tapeless.passes.soac.cut.histories import Return
from tapeless.passes.soac.cut.minimum_cut import minimum_cut
from tapeless.passes.soac.cut.numbers import Node, Numbers, Table
from tapeless.passes.soac.cut.weights import Guess, bytes_of, guesses, middle

# States live in their history. What else is stored is written and read, beside the states.
STATE, OTHER = 1, 2
PARTS = 1024  # of a byte: ranks do not decide unless all else is equal


@dataclass(frozen=True)
class Choice:
    """The numbers of the stored values beside rows that stay; the values of both loops: of the first its own arrays."""

    stored: list[int]
    own: dict[int, ir.Value]
    back: Numbers


def choose(pair: Return) -> Choice | None:
    """The values to store for a loop's return sweep, if they take less memory than the stored ones."""
    table, before = Table(), ir.InsertionPoint(pair.forward)
    forward, back = (Numbers(table, loop, before) for loop in (pair.forward, pair.back))
    rows = forward.of_storing([history.stored for history in pair.histories], pair.position)
    back.of_reading({history.rows: row for row, history in zip(rows, pair.histories, strict=True)}, pair.row)
    times = {row: _times(pair, history.stored) for row, history in zip(rows, pair.histories, strict=True)}
    own, known = forward.own(), set(forward.of.values())
    moving = _needed(table, back)
    # Of values of one size, rows stay, then arrays that are there are stored, then what is computed at least.
    ranks = {n: 0 if n in times else 1 if n in own else 2 if n in known else 3 for n in moving}
    capacities = {n: _capacity(table.nodes[n], times.get(n, OTHER), ranks[n], before) for n in moving}
    edges: dict[int, list[int]] = {}
    for n in moving:
        for operand in table.nodes[n].operands:
            edges.setdefault(operand, []).append(n)
    sources = [row for row in rows if row in moving]
    cut = minimum_cut(edges, capacities, sources, [n for n in back.wanted if n in moving])
    if cut is None or all(n in times for n in cut) or not _is_less(table, rows, cut, times):
        return None
    return Choice([number for number in cut if number not in times], own, back)


def _times(pair: Return, stored: ir.Value) -> int:
    return STATE if stored in arguments_of(pair.forward, "carried") else OTHER


def _needed(table: Table, back: Numbers) -> dict[int, None]:
    """The values that are computed from rows for a reader."""
    needed: dict[int, None] = {}
    pending = [n for n in back.wanted if table.nodes[n].moves]
    while pending:
        n = pending.pop()
        if n not in needed:
            needed[n] = None
            pending.extend(operand for operand in table.nodes[n].operands if table.nodes[operand].moves)
    return needed


def _capacity(node: Node, times: int, rank: int, before: ir.InsertionPoint) -> int | None:
    size = bytes_of(node, middle)
    if size is None or not all(can_write(each, before) for each in node.sizes):
        return None
    return size * times * PARTS + rank


def _is_less(table: Table, rows: Sequence[int], cut: Sequence[int], times: dict[int, int]) -> bool:
    """Whether less is moved and kept with the cut, whatever the sizes are."""
    nodes = [table.nodes[n] for n in {*rows, *cut}]

    def total(numbers: Sequence[int], guess: Guess) -> int:
        return sum((bytes_of(table.nodes[n], guess) or 0) * times.get(n, OTHER) for n in numbers)

    return all(total(cut, guess) < total(rows, guess) for guess in guesses(nodes))
