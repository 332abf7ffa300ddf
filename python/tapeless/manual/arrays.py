"""Operators that make arrays, and that give their elements another place."""

from __future__ import annotations

from tapeless.manual.entry import INTEGERS, LINEAR, Entry

NONE = "none: it does not depend on numbers that have one"
VALUE = "the sum of the adjoints of all elements"


def _moved(example: str, result: str, shapes: str) -> Entry:
    return Entry(example, result, shapes, LINEAR)


ARRAYS: dict[str, Entry] = {
    "zeros": Entry(
        "tl.zeros((2, 2))", "array([[0., 0.],\n       [0., 0.]])", "`shape`, an integer or a tuple of them", NONE
    ),
    "ones": Entry(
        "tl.ones(3, dtype=tl.f32)", "array([1., 1., 1.], dtype=float32)", "`shape`, an integer or a tuple of them", NONE
    ),
    "full": Entry("tl.full(3, 0.5)", "array([0.5, 0.5, 0.5])", "`shape`, an integer or a tuple of them", VALUE),
    "zeros_like": Entry("tl.zeros_like(tl.array([1.0, 2.0]))", "array([0., 0.])", "those of x", NONE),
    "ones_like": Entry("tl.ones_like(tl.array([1.0, 2.0]))", "array([1., 1.])", "those of x", NONE),
    "full_like": Entry("tl.full_like(tl.array([1.0, 2.0]), 7.0)", "array([7., 7.])", "those of x", VALUE),
    "iota": Entry("tl.iota(4)", "array([0, 1, 2, 3])", "(n,)", INTEGERS),
    "arange": Entry("tl.arange(1.0, 2.0, 0.25)", "array([1.  , 1.25, 1.5 , 1.75])", "(number of steps,)", LINEAR),
    "linspace": Entry("tl.linspace(0.0, 1.0, 5)", "array([0.  , 0.25, 0.5 , 0.75, 1.  ])", "(n,)", LINEAR),
    "logspace": Entry(
        "tl.logspace(0.0, 2.0, 3)", "array([  1.,  10., 100.])", "(n,)", "log(base) y times that of the exponent"
    ),
    "geomspace": Entry("tl.geomspace(1.0, 4.0, 3)", "array([1., 2., 4.])", "(n,)", "of the powers"),
    "tri": Entry("tl.tri(2)", "array([[1., 0.],\n       [1., 1.]])", "(n, m)", NONE),
    "array": Entry(
        "tl.array([[1.0, 2.0], [3.0, 4.0]])", "array([[1., 2.],\n       [3., 4.]])", "as the lists are nested", LINEAR
    ),
    "eye": Entry("tl.eye(2, 3, k=1)", "array([[0., 1., 0.],\n       [0., 0., 1.]])", "(n, m)", NONE),
    "identity": Entry("tl.identity(2)", "array([[1., 0.],\n       [0., 1.]])", "(n, n)", NONE),
    "meshgrid": Entry(
        "tl.meshgrid(tl.array([1.0, 2.0]), tl.array([3.0, 4.0]))",
        "(array([[1., 2.],\n       [1., 2.]]), array([[3., 3.],\n       [4., 4.]]))",
        "one array per vector, of all their sizes",
        LINEAR,
    ),
}

SHAPES_CHANGED: dict[str, Entry] = {
    "column_stack": _moved(
        "tl.column_stack((tl.array([1.0, 2.0]), tl.array([3.0, 4.0])))",
        "array([[1., 3.],\n       [2., 4.]])",
        "vectors of one size as columns",
    ),
    "dstack": _moved(
        "tl.dstack((tl.array([1.0, 2.0]), tl.array([3.0, 4.0])))",
        "array([[[1., 3.],\n        [2., 4.]]])",
        "(n, m) each to (n, m, number of them)",
    ),
    "block": _moved(
        "tl.block([[tl.eye(1), tl.zeros((1, 1))]])", "array([[1., 0.]])", "sums of the sizes along joined axes"
    ),
    "hsplit": _moved(
        "tl.hsplit(tl.array([1.0, 2.0]), 2)", "(array([1.]), array([2.]))", "a tuple of parts of the second axis"
    ),
    "vsplit": _moved("tl.vsplit(tl.eye(2), 2)[0]", "array([[1., 0.]])", "a tuple of parts of the first axis"),
    "atleast_1d": _moved("tl.atleast_1d(2.0)", "array([2.])", "() to (1,)"),
    "atleast_2d": _moved("tl.atleast_2d(tl.array([1.0, 2.0]))", "array([[1., 2.]])", "() to (1, 1), (n,) to (1, n)"),
    "broadcast_to": _moved(
        "tl.broadcast_to(tl.array([1.0, 2.0]), (2, 2))", "array([[1., 2.],\n       [1., 2.]])", "`shape`"
    ),
    "broadcast_arrays": _moved(
        "tl.broadcast_arrays(tl.array([1.0, 2.0]), 3.0)[1]", "array([3., 3.])", "each the shape of all together"
    ),
    "rot90": _moved(
        "tl.rot90(tl.array([[1.0, 2.0]]))", "array([[2.],\n       [1.]])", "both sizes exchanged for odd k"
    ),
    "matrix_transpose": _moved(
        "tl.matrix_transpose(tl.array([[1.0, 2.0]]))", "array([[1.],\n       [2.]])", "the last two sizes exchanged"
    ),
    "sliding_window_view": _moved(
        "tl.sliding_window_view(tl.array([1.0, 2.0, 3.0]), 2)",
        "array([[1., 2.],\n       [2., 3.]])",
        "(n,) to (n - window + 1, window)",
    ),
    "shape": Entry("tl.shape(tl.zeros((2, 3)))", "(2, 3)", "as many numbers as axes", INTEGERS),
    "ndim": Entry("tl.ndim(tl.zeros((2, 3)))", "2", "a number", INTEGERS),
    "size": Entry("tl.size(tl.zeros((2, 3)))", "6", "a number", INTEGERS),
    "reshape": _moved(
        "tl.reshape(tl.iota(6), (2, 3))",
        "array([[0, 1, 2],\n       [3, 4, 5]])",
        "any, to `shape` with as many elements",
    ),
    "ravel": _moved("tl.ravel(tl.ones((2, 2)))", "array([1., 1., 1., 1.])", "any, to a vector"),
    "flatten": _moved("tl.flatten(tl.ones((2, 2)))", "array([1., 1., 1., 1.])", "any, to a vector"),
    "expand_dims": _moved("tl.expand_dims(tl.array([1.0, 2.0]), 1)", "array([[1.],\n       [2.]])", "one axis more"),
    "squeeze": _moved(
        "tl.squeeze(tl.ones((1, 3)))", "array([1., 1., 1.])", "without axes of size 1, which must be known to be 1"
    ),
    "transpose": _moved(
        "tl.transpose(tl.array([[1.0, 2.0], [3.0, 4.0]]))", "array([[1., 3.],\n       [2., 4.]])", "axes permuted"
    ),
    "swapaxes": _moved(
        "tl.swapaxes(tl.array([[1.0, 2.0]]), 0, 1)", "array([[1.],\n       [2.]])", "two axes exchanged"
    ),
    "moveaxis": _moved("tl.moveaxis(tl.array([[1.0, 2.0]]), 0, 1)", "array([[1.],\n       [2.]])", "axes permuted"),
    "reverse": _moved("tl.reverse(tl.iota(3))", "array([2, 1, 0])", "those of x"),
    "flip": _moved("tl.flip(tl.array([[1.0, 2.0], [3.0, 4.0]]))", "array([[4., 3.],\n       [2., 1.]])", "those of x"),
    "flipud": _moved(
        "tl.flipud(tl.array([[1.0, 2.0], [3.0, 4.0]]))", "array([[3., 4.],\n       [1., 2.]])", "those of x"
    ),
    "fliplr": _moved(
        "tl.fliplr(tl.array([[1.0, 2.0], [3.0, 4.0]]))", "array([[2., 1.],\n       [4., 3.]])", "those of x"
    ),
    "roll": _moved("tl.roll(tl.iota(4), 1)", "array([3, 0, 1, 2])", "those of x"),
    "concat": _moved("tl.concat((tl.iota(2), tl.iota(3)))", "array([0, 1, 0, 1, 2])", "equal but for the axis"),
    "stack": _moved(
        "tl.stack((tl.array([1.0, 2.0]), tl.array([3.0, 4.0])))",
        "array([[1., 2.],\n       [3., 4.]])",
        "equal; one axis more",
    ),
    "hstack": _moved("tl.hstack((tl.iota(2), tl.iota(2)))", "array([0, 1, 0, 1])", "equal but for the second axis"),
    "vstack": _moved(
        "tl.vstack((tl.iota(2), tl.iota(2)))", "array([[0, 1],\n       [0, 1]])", "equal but for the first axis"
    ),
    "append": _moved("tl.append(tl.array([1.0, 2.0]), 3.0)", "array([1., 2., 3.])", "equal but for the axis"),
    "tile": _moved("tl.tile(tl.array([1.0, 2.0]), 2)", "array([1., 2., 1., 2.])", "sizes times `reps`"),
    "repeat": _moved("tl.repeat(tl.array([1.0, 2.0]), 2)", "array([1., 1., 2., 2.])", "one size times `repeats`"),
    "pad": _moved("tl.pad(tl.array([1.0, 2.0]), 1)", "array([0., 1., 2., 0.])", "sizes plus those of the border"),
    "take": _moved(
        "tl.take(tl.array([5.0, 6.0, 7.0]), tl.array([2, 0]))",
        "array([7., 5.])",
        "those of the indices in place of an axis",
    ),
    "diag": _moved("tl.diag(tl.array([1.0, 2.0]))", "array([[1., 0.],\n       [0., 2.]])", "(n,) to (n, n), and back"),
    "diagonal": _moved("tl.diagonal(tl.array([[1.0, 2.0], [3.0, 4.0]]))", "array([1., 4.])", "(n, m) to (min(n, m),)"),
    "tril": _moved("tl.tril(tl.ones((2, 2)))", "array([[1., 0.],\n       [1., 1.]])", "(n, m)"),
    "triu": _moved("tl.triu(tl.ones((2, 2)))", "array([[1., 1.],\n       [0., 1.]])", "(n, m)"),
    "split": _moved("tl.split(tl.iota(4), 2)", "(array([0, 1]), array([2, 3]))", "equal parts of one axis"),
    "array_split": _moved("tl.array_split(tl.iota(3), 2)", "(array([0, 1]), array([2]))", "parts of one axis"),
    "nan_to_num": Entry(
        "tl.nan_to_num(tl.array([1.0, tl.nan]))", "array([1., 0.])", "those of x", "1 where nothing is replaced"
    ),
    "select": _moved(
        "tl.select([tl.array([1.0, -2.0]) > 0.0], [tl.array([5.0, 6.0])])", "array([5., 0.])", "broadcast"
    ),
    "isclose": Entry("tl.isclose(1.0, 1.0 + 1e-9)", "True", "broadcast", "0"),
    "allclose": Entry("tl.allclose(tl.array([1.0, 2.0]), tl.array([1.0, 2.1]))", "False", "a number", "0"),
    "sort": Entry(
        "tl.sort(tl.array([3.0, 1.0, 2.0]))",
        "array([1., 2., 3.])",
        "those of x",
        "each element's adjoint goes where it came from",
    ),
    "argsort": Entry("tl.argsort(tl.array([3.0, 1.0, 2.0]))", "array([1, 2, 0])", "those of x", INTEGERS),
    "flatnonzero": Entry(
        "tl.flatnonzero(tl.array([0.0, 2.0, 0.0, 3.0]))",
        "array([1, 3])",
        "one axis, of a size known at run time",
        INTEGERS,
    ),
    "nonzero": Entry(
        "tl.nonzero(tl.array([[0.0, 2.0], [3.0, 0.0]]))",
        "(array([0, 1]), array([1, 0]))",
        "one array for each axis of x, of a size known at run time",
        INTEGERS,
    ),
    "searchsorted": Entry("tl.searchsorted(tl.array([1.0, 2.0, 3.0]), 2.5)", "2", "those of v", INTEGERS),
}
