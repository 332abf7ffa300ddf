"""Arrays that are updated keep their type and shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapeless.errors import TypeMismatch
from tapeless.frontend.arrays.whole_arrays import converted
from tapeless.frontend.elementwise.broadcasting import same_size
from tapeless.frontend.indexing.insertion import check_storable
from tapeless.frontend.values.value import Array, Number, Scalar

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def kept_type(t: Translator, new: Number, old: Array) -> Number:
    """The new value of an array that is updated in place."""
    if isinstance(new, Scalar) or new.rank != old.rank:
        raise t.error("the update changes the rank of the array", "write x = x op e to make a new array", TypeMismatch)
    for axis, (left, right) in enumerate(zip(old.dims, new.dims, strict=True)):
        same_size(t, left, right, axis)
    check_storable(t, new, old)
    return converted(t, new, old.dtype)
