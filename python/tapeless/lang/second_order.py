"""Operators that take functions, and hints for loops."""

from __future__ import annotations

from tapeless.lang.operator import operator, table

SECOND_ORDER = table(
    map=operator(lambda f, *arrays: None, "f on corresponding elements of the leading axis."),
    apply_along_axis=operator(
        lambda func1d, axis, x, *arguments: None, "A function of every line of an array along an axis."
    ),
    reduce=operator(lambda op, neutral, *arrays: None, "All elements combined by an associative operator."),
    scan=operator(
        lambda op, neutral, *arrays, exclusive=False, reverse=False: None,
        "All prefixes combined by an associative operator.",
    ),
    hist=operator(lambda op, neutral, dest, keys, values: None, "Values combined into the bins their keys name."),
    scatter=operator(lambda dest, keys, values: None, "dest with the values written at the keys."),
    range=operator(
        lambda *bounds, stripmine=None, budget=None, true_dep=(), unroll=False: None,
        "A range for loops, with hints for differentiation.",
    ),
    bounded=operator(lambda condition, n: None, "A loop condition that holds at most n times."),
)
