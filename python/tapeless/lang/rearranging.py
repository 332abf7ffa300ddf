"""The same elements in other places and shapes, and elements by their positions."""

from __future__ import annotations

from tapeless.lang.operator import along, one, operator, table

REARRANGING = table(
    reshape=operator(lambda x, shape: None, "The same elements, in row-major order, in another shape."),
    transpose=operator(lambda x, axes=None: None, "Axes permuted, by default reversed."),
    reverse=along("The elements of one axis in reverse order.", 0),
    flip=along("The elements in reverse order along axes, by default all."),
    flipud=one("The first axis in reverse order."),
    fliplr=one("The second axis in reverse order."),
    rot90=operator(lambda x, k=1, axes=(0, 1): None, "Turned by k quarters, from the first axis to the second."),
    roll=operator(lambda x, shift, axis=None: None, "Elements moved along an axis, around its end."),
    diff=operator(
        lambda x, n=1, axis=-1, prepend=None, append=None: None, "Differences of neighbours along an axis, n times."
    ),
    ravel=operator(lambda x, order="C": None, "All elements, in row-major order, as a vector."),
    flatten=operator(lambda x, order="C": None, "All elements, in row-major order, as a vector."),
    expand_dims=operator(lambda x, axis: None, "A new axis of size 1."),
    squeeze=along("Without axes of size 1."),
    swapaxes=operator(lambda x, axis1, axis2: None, "Two axes exchanged."),
    moveaxis=operator(lambda x, source, destination: None, "Axes moved to other places."),
    matrix_transpose=one("The last two axes exchanged."),
    sliding_window_view=operator(
        lambda x, window_shape, axis=None: None, "All windows of a size; positions in a window are axes at the end."
    ),
    take_along_axis=operator(
        lambda x, indices, axis=-1: None, "Of each line along an axis the elements at positions of its own."
    ),
    shape=one("The sizes of all axes."),
    ndim=one("How many axes an array has."),
    size=operator(lambda x, axis=None: None, "How many elements there are, in all or along an axis."),
    take=operator(lambda x, indices, axis=None, mode="raise": None, "The elements at some positions."),
    searchsorted=operator(lambda a, v, side="left", sorter=None: None, "Where to insert v into a sorted vector."),
    flatnonzero=one("The places, in row-major order, of elements that are not zero."),
    nonzero=one("For each axis, where the elements that are not zero are."),
    argwhere=one("The positions of elements that are not zero, one in each row."),
    triu_indices=operator(lambda n, k=0, m=None: None, "Rows and columns of the elements of an upper triangle."),
    tril_indices=operator(lambda n, k=0, m=None: None, "Rows and columns of the elements of a lower triangle."),
    diag_indices=operator(lambda n, ndim=2: None, "The positions of the elements of a diagonal, for each axis."),
    indices=operator(lambda dimensions: None, "For each axis of a grid, the positions along it."),
    ix_=operator(lambda *vectors: None, "Positions along axes as index arrays that select a grid."),
    unravel_index=operator(lambda indices, shape: None, "The positions along each axis of places in row-major order."),
    unique=operator(
        lambda x, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True: None,
        "The elements in order, each once.",
    ),
    isin=operator(lambda x, y, *, invert=False: None, "Whether each element of x is one of y."),
    digitize=operator(lambda x, bins, right=False: None, "In which of the bins between edges each number is."),
    histogram=operator(
        lambda x, bins=10, range=None, density=False, weights=None: None,
        "How many numbers are in each bin, and the edges of the bins.",
    ),
    interp=operator(lambda x, xp, fp, left=None, right=None: None, "Piecewise linear interpolation."),
    bincount=operator(lambda x, weights=None, minlength=0: None, "How often each integer occurs."),
)
