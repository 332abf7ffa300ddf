"""Values that fill the place of a result on paths that have none; nothing reads them.

They are zeros, and not whatever is in memory, so that programs that compute both sides of a branch meet no strange
numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapeless.errors import TapelessError
from tapeless.frontend.arrays.whole_arrays import filled
from tapeless.frontend.control.joins import ArrayForm, Form, Mismatch, ScalarForm, TupleForm
from tapeless.frontend.values import promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Tuple, Value, literal

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def filler(t: Translator, form: Form) -> Value:
    """Zeros of a form; an array whose size is not known here has no elements."""
    if isinstance(form, ScalarForm):
        zero = promotion.ssa(t.builder, literal(False), form.dtype)
        return promotion.from_ssa(t.builder, zero, form.dtype, weak=form.weak)
    if isinstance(form, ArrayForm):
        return filled(t, [size or Affine(0) for size in form.dims], literal(False), form.dtype)
    return Tuple(tuple(filler(t, item) for item in form.items)) if isinstance(form, TupleForm) else form.value


def differing_results(t: Translator, mismatch: Mismatch) -> TapelessError:
    """An error about a function that returns values of different kinds."""
    return t.error(f"what is returned is {mismatch}", "return values of one type and rank on every path")
