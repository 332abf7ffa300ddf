"""Arrays made from nothing or from other arrays: filled, joined, repeated, cut."""

from __future__ import annotations

from tapeless.lang.operator import one, operator, table
from tapeless.types import f64

MAKING = table(
    zeros=operator(lambda shape, dtype=f64: None, "An array of zeros."),
    ones=operator(lambda shape, dtype=f64: None, "An array of ones."),
    full=operator(lambda shape, value, dtype=None: None, "An array filled with one value."),
    zeros_like=operator(lambda x, dtype=None: None, "Zeros of the shape of x, and of its dtype."),
    ones_like=operator(lambda x, dtype=None: None, "Ones of the shape of x, and of its dtype."),
    full_like=operator(lambda x, value, dtype=None: None, "One value in the shape of x, and of its dtype."),
    iota=operator(lambda n: None, "The integers 0, 1, ..., n - 1."),
    linspace=operator(
        lambda a, b, n=50, endpoint=True: None, "n evenly spaced numbers from a to b, which is included."
    ),
    concat=operator(lambda arrays, axis=0: None, "Arrays one after the other along an axis."),
    stack=operator(lambda arrays, axis=0: None, "Arrays of one shape, stacked along a new axis."),
    copy=one("x itself: arrays are values."),
    astype=operator(lambda x, dtype: None, "The elements converted to another dtype."),
    arange=operator(lambda start, stop=None, step=1, dtype=None: None, "Numbers from start, in steps, below stop."),
    array=operator(lambda items, dtype=None: None, "An array of numbers or arrays in nested lists."),
    meshgrid=operator(lambda *arrays, indexing="xy": None, "The coordinates of a grid."),
    split=operator(lambda x, indices_or_sections, axis=0: None, "Equal parts, or those between some places."),
    array_split=operator(lambda x, sections, axis=0: None, "Parts whose sizes differ by at most one."),
    hstack=operator(lambda arrays: None, "Arrays side by side: along the second axis, vectors along their only one."),
    vstack=operator(lambda arrays: None, "Arrays on top of each other; a vector is a row."),
    column_stack=operator(lambda arrays: None, "Vectors, and the columns of matrices, side by side."),
    dstack=operator(lambda arrays: None, "Arrays behind each other, along the third axis."),
    block=operator(lambda arrays: None, "Blocks in nested lists, joined along the last axes."),
    hsplit=operator(
        lambda x, indices_or_sections: None, "Parts along the second axis, of vectors along their only one."
    ),
    vsplit=operator(lambda x, indices_or_sections: None, "Parts along the first axis."),
    atleast_1d=operator(lambda *arrays: None, "Numbers as vectors; arrays stay as they are."),
    atleast_2d=operator(lambda *arrays: None, "Numbers and vectors as matrices of one row."),
    broadcast_to=operator(lambda x, shape: None, "An array, repeated to a shape."),
    broadcast_arrays=operator(lambda *arrays: None, "Arrays, repeated to the shape that they have together."),
    logspace=operator(
        lambda a, b, n=50, endpoint=True, base=10.0: None, "n numbers from base**a to base**b, in equal ratios."
    ),
    geomspace=operator(lambda a, b, n=50, endpoint=True: None, "n numbers from a to b, in equal ratios."),
    append=operator(lambda x, values, axis=None: None, "Values after x; without an axis, both flattened."),
    tile=operator(lambda x, reps: None, "The whole array, repeated along axes."),
    repeat=operator(lambda x, repeats, axis=None: None, "Each element, repeated."),
    pad=operator(
        lambda x, pad_width, mode="constant", constant_values=0: None, "A border of one value, or of elements."
    ),
)
