"""How a matrix of a known pattern is got from few products: seeds, and where each entry stands in the products."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tapeless.api.sparse.colouring import column_colours, number_of, star_colours
from tapeless.api.sparse.pattern import Pattern
from tapeless.computed_once import computed_once
from tapeless.dataclasses_on_use import dataclass

FORWARD, REVERSE = "fwd", "rev"
MODES = (FORWARD, REVERSE)
MOST_AT_ONCE = 1 << 25
"""How many elements the seeds, or the products, of one call may have."""


@dataclass(frozen=True, eq=False)
class Part:
    """Entries that products in one mode give: entry k, the `entries[k]`-th of the pattern, is at `places[k]`.

    Forward mode has a colour for each column and products with as many elements as there are rows, reverse mode a
    colour for each row; -1 is none.
    """

    mode: str
    colours: np.ndarray
    width: int
    entries: np.ndarray | None
    places: np.ndarray

    @property
    def count(self) -> int:
        """How many products there are."""
        return number_of(self.colours) if len(self.places) else 0

    def seeds(self, dtype: np.dtype, check: np.ndarray | None) -> Iterator[np.ndarray]:
        """The seeds as rows of matrices, in turn; the vector of the check comes last."""
        total = self.count + (check is not None)
        most = max(1, MOST_AT_ONCE // max(1, self.width, len(self.colours)))
        for first in range(0, total, most):
            rows = np.zeros((min(most, total - first), len(self.colours)), dtype)
            mine = (self.colours >= first) & (self.colours < first + len(rows))
            rows[self.colours[mine] - first, np.flatnonzero(mine)] = 1
            if check is not None and first + len(rows) == total:
                rows[-1] = check
            yield rows


@dataclass(frozen=True, eq=False)
class Plan:
    """A pattern and the parts that give its entries."""

    pattern: Pattern
    parts: tuple[Part, ...]

    @property
    def products(self) -> int:
        """How many products the matrix needs."""
        return sum(part.count for part in self.parts)

    @computed_once
    def checked_mode(self) -> str:
        """The mode of the product that the matrix is compared with."""
        return FORWARD if any(part.mode == FORWARD for part in self.parts) else REVERSE


def plan_jacobian(pattern: Pattern, mode: str | None) -> Plan:
    """The plan with the fewest products: in one mode, or full rows in reverse mode and the others in forward mode."""
    if mode is not None:
        return Plan(pattern, (_part(pattern, mode),))
    bounds = {FORWARD: pattern.widest, REVERSE: pattern.transposed.widest}
    full_rows, bound = _full_rows(pattern)
    if bound < 0.5 * min(bounds.values()):
        rest = _part(pattern, FORWARD, ~full_rows)
        mixed = Plan(pattern, (rest, _part(pattern, REVERSE, full_rows)))
        if mixed.products < min(bounds.values()):
            return mixed
    first, second = sorted(MODES, key=lambda each: bounds[each])
    best = _part(pattern, first)
    if best.count > bounds[second]:
        best = min(best, _part(pattern, second), key=lambda part: part.count)
    return Plan(pattern, (best,))


def _full_rows(pattern: Pattern) -> tuple[np.ndarray, int]:
    """The rows whose own products leave the fewest for all others, as a mask, and how many products there are then."""
    order = np.argsort(-pattern.degrees, kind="stable")
    sizes = np.append(pattern.degrees[order], 0)
    totals = np.arange(len(sizes)) + sizes
    best = int(np.argmin(totals))
    chosen = np.zeros(pattern.shape[0], bool)
    chosen[order[:best]] = True
    return chosen, int(totals[best])


def _part(pattern: Pattern, mode: str, rows: np.ndarray | None = None) -> Part:
    """The entries in some rows, or in all, by products in one mode."""
    chosen = pattern if rows is None else pattern.in_rows(rows)
    entries = None if rows is None else np.flatnonzero(rows[pattern.rows])
    if mode == FORWARD:
        colours, width = _of_columns(chosen), pattern.shape[0]
        places = colours[chosen.indices] * width + chosen.rows
    else:
        colours, width = _of_columns(chosen.transposed), pattern.shape[1]
        places = colours[chosen.rows] * width + chosen.indices
    return Part(mode, colours, width, entries, places)


def _of_columns(pattern: Pattern) -> np.ndarray:
    """The colours of columns; those without entries have none, since they may have some in rows of other parts."""
    return np.where(pattern.transposed.degrees > 0, column_colours(pattern), -1)


def plan_hessian(pattern: Pattern) -> Plan:
    """The plan for a symmetric matrix: an entry may be read from its mirror image."""
    direct = _part(pattern, FORWARD)
    if direct.count <= 2:
        return Plan(pattern, (direct,))
    found = [each for each in (_apart_colours(pattern), star_colours(pattern)) if each is not None]
    colours = min(found, key=number_of)
    if number_of(colours) >= direct.count:
        return Plan(pattern, (direct,))
    size, count = pattern.shape[0], number_of(colours)
    upright = pattern.rows * count + colours[pattern.indices]
    mirrored = pattern.indices * count + colours[pattern.rows]
    is_alone = np.bincount(upright, minlength=size * count)[upright] == 1
    row, colour = np.divmod(np.where(is_alone, upright, mirrored), count)
    return Plan(pattern, (Part(FORWARD, colours, size, None, colour * size + row),))


def _apart_colours(pattern: Pattern) -> np.ndarray:
    """A colour of its own for each full column of a symmetric pattern; the others are coloured without full rows."""
    full, _ = _full_rows(pattern)
    own = int(np.count_nonzero(full))
    rest = pattern.in_rows(~full).transposed.in_rows(~full)
    colours = column_colours(rest) + own
    colours[full] = np.arange(own)
    return colours
