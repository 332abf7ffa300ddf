"""Statements that change an array in numpy: `np.fill_diagonal(m, 0.0)`, `np.put_along_axis(m, i, v, 1)`, `x.sort()`.

The name gets a new value, other names keep theirs.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from tapeless.errors import ArgumentError, ShapeMismatch, TypeMismatch
from tapeless.frontend.arrays.reshaping import reshaped
from tapeless.frontend.composed.lines import places_along
from tapeless.frontend.composed.matrices import distance
from tapeless.frontend.composed.moving import ravel
from tapeless.frontend.composed.terms import Language, Term
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.indexing import picks
from tapeless.frontend.statements import indexed_assignments, plain_statements, scattered_writes
from tapeless.frontend.statements.kept_types import kept_type
from tapeless.frontend.syntax import scoping, updates
from tapeless.frontend.values.value import Array, describe

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def change(t: Translator, statement: ast.Assign, name: str) -> None:
    """A statement that calls an operator that changes an array."""
    call = statement.value
    assert isinstance(call, ast.Call)
    if name in updates.CHANGING and not _is_of_numpy(t, call.func, name):
        raise t.error(*plain_statements.UNUSED)
    target = statement.targets[0]
    assert isinstance(target, ast.Subscript)
    whole = indexed_assignments.whole_of(t, target.value)
    if not isinstance(whole.value, Array):
        raise t.error(f"'{name}' of {describe(whole.value)}", "use it with an array", TypeMismatch)
    tl = Language(t)
    given = [tl.term(t.evaluate(each)) for each in call.args[name in updates.CHANGING :]]
    named = {each.arg or "**": tl.term(t.evaluate(each.value)) for each in call.keywords}
    definition = CHANGES[name]
    try:
        inspect.signature(definition).bind(tl, Term(t, whole.value), *given, **named)
    except TypeError as error:
        parameters = [each for each in inspect.signature(definition).parameters if each != "tl"]
        raise t.error(f"'{name}': {error}", f"its parameters: {', '.join(parameters)}", ArgumentError) from None
    changed = definition(tl, Term(t, whole.value), *given, **named)
    whole.put_back(t.array(kept_type(t, changed.value, whole.value)))


def _is_of_numpy(t: Translator, function: ast.expr, name: str) -> bool:
    dotted = scoping.dotted_name(function)
    if dotted and t.frame.find(dotted.split(".")[0]) is None:
        with suppress(KeyError):
            return t.frame.source.lookup(dotted) is getattr(np, name)
    return False


def fill_diagonal(tl: Language, x: Term, val: Any) -> Term:
    """One value, or one for each element of the diagonal of a matrix."""
    if x.rank != 2:
        raise tl.t.error(f"the diagonal of an array of rank {x.rank}", "use a matrix", ShapeMismatch)
    number = tl.listed(val)
    if number.rank:
        shorter = tl.minimum(x.size(0), x.size(1))
        tl.require(number.size(0).equals(shorter), "give one value for each element of the diagonal", "ShapeMismatch")
        number = tl.take(number, tl.iota(x.size(1)), mode="clip")
    return tl.where(distance(tl, *x.dims).equals(0), number, x)


def put_along_axis(tl: Language, x: Term, indices: Any, values: Any, axis: Any = -1) -> Term:
    places = [tl.t.array(each.value) for each in places_along(tl, x, tl.array(tl.listed(indices)), axis)]
    array = tl.t.array(x.value)
    return Term(tl.t, scattered_writes.stored(tl.t, array, picks.picks(tl.t, array, places), tl.listed(values).value))


def put(tl: Language, x: Term, ind: Any, v: Any) -> Term:
    """Places in row-major order."""
    flat, places = tl.t.array(ravel(tl, x).value), tl.t.array(tl.listed(ind).value)
    new = scattered_writes.stored(tl.t, flat, picks.picks(tl.t, flat, [places]), tl.listed(v).value)
    return Term(tl.t, reshaped(tl.t, new, x.dims))


def copyto(tl: Language, x: Term, src: Any) -> Term:
    return tl.listed(src).broadcast(x.dims)


def putmask(tl: Language, x: Term, mask: Any, values: Any) -> Term:
    """One value for all places, or an array of the shape of x."""
    number = tl.listed(values)
    if number.rank:
        if number.rank != x.rank:
            raise tl.t.error(
                "values of another shape than the array", "give one, or an array of its shape", ShapeMismatch
            )
        for axis, sizes in enumerate(zip(x.dims, number.dims, strict=True)):
            broadcasting.same_size(tl.t, *sizes, axis)
    return tl.where(mask, number, x)


def fill(tl: Language, x: Term, value: Any) -> Term:
    return tl.number(tl.t.scalar(tl.number(value).value, "the value")).broadcast(x.dims)


def sort(tl: Language, x: Term, axis: Any = -1) -> Term:
    return tl.sort(x, axis=axis)


CHANGES: dict[str, Callable[..., Term]] = {
    "copyto": copyto,
    "fill": fill,
    "fill_diagonal": fill_diagonal,
    "put": put,
    "put_along_axis": put_along_axis,
    "putmask": putmask,
    "sort": sort,
}
