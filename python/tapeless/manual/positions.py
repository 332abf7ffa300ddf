"""Positions of elements, elements by their positions, bins and sets."""

from __future__ import annotations

from tapeless.manual.entry import CONDITION, INTEGERS, LINEAR, Entry

PAIR = "(array([0, 0, 1]), array([0, 1, 1]))"

POSITIONS: dict[str, Entry] = {
    "triu_indices": Entry("tl.triu_indices(2)", PAIR, "two vectors, or an index of a matrix", INTEGERS),
    "tril_indices": Entry(
        "tl.tril_indices(2)", "(array([0, 1, 1]), array([0, 0, 1]))", "two vectors, or an index of a matrix", INTEGERS
    ),
    "diag_indices": Entry("tl.diag_indices(2)", "(array([0, 1]), array([0, 1]))", "`ndim` times (n,)", INTEGERS),
    "indices": Entry(
        "tl.indices((1, 2))",
        "array([[[0, 0]],\n\n       [[0, 1]]])",
        "(number of axes, *dimensions)",
        INTEGERS,
    ),
    "ix_": Entry(
        "tl.ix_([1, 0], [2])", "(array([[1],\n       [0]]), array([[2]]))", "each along an axis of its own", INTEGERS
    ),
    "unravel_index": Entry("tl.unravel_index(5, (3, 4))", "(1, 1)", "one array of positions per axis", INTEGERS),
    "argwhere": Entry(
        "tl.argwhere(tl.array([0.0, 3.0]))", "array([[1]])", "(number of them, number of axes)", INTEGERS
    ),
    "take_along_axis": Entry(
        "tl.take_along_axis(tl.array([[1.0, 2.0], [3.0, 4.0]]), tl.array([[1], [0]]), axis=1)",
        "array([[2.],\n       [3.]])",
        "those of the positions; other axes of size 1 are repeated",
        LINEAR,
    ),
    "unique": Entry(
        "tl.unique(tl.array([2.0, 1.0, 2.0]))",
        "array([1., 2.])",
        "(number of different elements,)",
        "of the first ones",
    ),
    "isin": Entry("tl.isin(tl.array([1, 2, 3]), [3, 1])", "array([ True, False,  True])", "those of x", CONDITION),
    "digitize": Entry(
        "tl.digitize(tl.array([0.5, 2.5]), tl.array([0.0, 1.0, 2.0]))", "array([1, 3])", "those of x", INTEGERS
    ),
    "histogram": Entry(
        "tl.histogram(tl.array([1.0, 2.0, 4.0]), bins=3)",
        "(array([1, 1, 1]), array([1., 2., 3., 4.]))",
        "(bins,) and (bins + 1,)",
        "linear in weights; edges are constants",
    ),
}
