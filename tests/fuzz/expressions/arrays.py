"""Arrays that are made, joined, gathered and sorted."""

from __future__ import annotations

from fuzz.draft import Draft
from fuzz.expressions import write
from fuzz.sizes import is_constant, sliced
from fuzz.types import Type, integers
from fuzz.writing import Stuck


def made(d: Draft, wanted: Type, depth: int) -> str:
    """An array of one number, or of evenly spaced ones."""
    if wanted.rank == 0:
        raise Stuck
    shape = d.shape_text(wanted.sizes)
    if wanted.dtype == "i64":
        if wanted.bound is not None and min(wanted.bound) < 1:
            raise Stuck
        return f"tl.zeros({shape}, dtype=tl.i64)"
    if wanted.dtype == "bool_":
        return f"(tl.zeros({shape}) > 0.5)"
    if wanted.dtype == "f32":
        return f"tl.full({shape}, {d.number()}, dtype=tl.f32)"
    if wanted.rank == 1 and d.chance(0.2):
        return f"(tl.iota({d.size_text(wanted.sizes[0])}) * 0.13)"
    value = write.expression(d, wanted.shaped(), depth - 1)
    return d.pick((f"tl.zeros({shape})", f"tl.ones({shape})", f"tl.full({shape}, {value})"))


def gathered(d: Draft, wanted: Type, depth: int) -> str:
    """`x[idx]`."""
    size = d.size()
    array = write.expression(d, wanted.shaped(size, *wanted.sizes[1:]), depth - 1 if d.chance(0.5) else 0)
    places = write.expression(d, integers(wanted.sizes[0], bound=size), depth - 1)
    return f"{array}[{places}]"


def joined(d: Draft, wanted: Type, depth: int) -> str:
    """Two or three lines stacked, or two parts one after the other."""
    size = wanted.sizes[0]
    if is_constant(size) and size[0] in (2, 3):
        parts = [write.expression(d, wanted.shaped(*wanted.sizes[1:]), depth - 1) for _ in range(size[0])]
        return f"tl.stack(({', '.join(parts)}))"
    first, second = d.pick([pair for pair in ((":2", "2:"), ("1:", ":1"), ("::2", "1::2"))])
    if tuple(a + b for a, b in zip(sliced(size, first), sliced(size, second), strict=True)) != size:
        raise Stuck
    parts = [write.expression(d, wanted, depth - 1) + f"[{text}]" for text in (first, second)]
    return f"tl.concat(({parts[0]}, {parts[1]}))"


def sorted_vector(d: Draft, wanted: Type, depth: int) -> str:
    return f"tl.sort({write.expression(d, wanted, depth - 1)})"


def normalised(d: Draft, wanted: Type, depth: int) -> str:
    if min(wanted.sizes[0]) < 1:
        raise Stuck
    return f"tl.softmax({write.expression(d, wanted, depth - 1)})"
