"""Products, transposes and reshapes."""

from __future__ import annotations

from fuzz.draft import Draft
from fuzz.expressions import write
from fuzz.types import Type
from fuzz.writing import Stuck


def matrix_times_vector(d: Draft, wanted: Type, depth: int) -> str:
    size = d.size()
    vector = write.expression(d, wanted.shaped(size), depth - 1)
    if d.chance(0.5):
        return f"({write.expression(d, wanted.shaped(*wanted.sizes, size), depth - 1)} @ {vector})"
    return f"tl.matmul({vector}, {write.expression(d, wanted.shaped(size, *wanted.sizes), depth - 1)})"


def product(d: Draft, wanted: Type, depth: int) -> str:
    size = d.size()
    left = write.expression(d, wanted.shaped(wanted.sizes[0], size), depth - 1)
    return f"({left} @ {write.expression(d, wanted.shaped(size, wanted.sizes[1]), depth - 1)})"


def outer_product(d: Draft, wanted: Type, depth: int) -> str:
    """Of two vectors, or of an array and a vector."""
    if wanted.rank < 2:
        raise Stuck
    left = write.expression(d, wanted.shaped(*wanted.sizes[:-1]), depth - 1)
    right = write.expression(d, wanted.shaped(wanted.sizes[-1]), depth - 1)
    if wanted.rank == 3:
        return f"({left}[:, :, None] * {right})"
    return d.pick((f"tl.outer({left}, {right})", f"({left}[:, None] * {right}[None, :])"))


def transposed(d: Draft, wanted: Type, depth: int) -> str:
    array = write.expression(d, wanted.shaped(*wanted.sizes[::-1]), depth - 1)
    return d.pick((f"{array}.T", f"tl.transpose({array})"))


def reshaped(d: Draft, wanted: Type, depth: int) -> str:
    """The same elements in another shape."""
    sizes = list(wanted.sizes)
    d.rng.shuffle(sizes)
    array = write.expression(d, wanted.shaped(*sizes), depth - 1)
    return f"tl.reshape({array}, {d.shape_text(wanted.sizes)})"
