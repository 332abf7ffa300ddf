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
    take=operator(lambda x, indices, axis=None, mode="raise": None, "The elements at some positions."),
    searchsorted=operator(lambda a, v, side="left", sorter=None: None, "Where to insert v into a sorted vector."),
    flatnonzero=one("The places, in row-major order, of elements that are not zero."),
    nonzero=one("For each axis, where the elements that are not zero are."),
    interp=operator(lambda x, xp, fp, left=None, right=None: None, "Piecewise linear interpolation."),
    bincount=operator(lambda x, weights=None, minlength=0: None, "How often each integer occurs."),
)
