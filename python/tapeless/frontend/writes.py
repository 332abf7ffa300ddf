"""Writing parts of arrays: `a[i] = e`, `a[:, j] += e`; the name gets a new value, other names keep theirs."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless.errors import ShapeMismatch, TypeMismatch
from tapeless.frontend import broadcasting, indexing, integers, operators, promotion
from tapeless.frontend.affine import Affine
from tapeless.frontend.arrays import broadcast_to
from tapeless.frontend.elementwise import force
from tapeless.frontend.indexing import Selection
from tapeless.frontend.values import Array, Number, Scalar, Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

_KINDS = ("bool", "int", "float")


def store(t: Translator, target: ast.Subscript, value: Value) -> None:
    """`a[index] = value`."""
    name, array = _target(t, target)
    selected = _selection(t, array, target)
    t.frame.names[name] = written(t, array, selected, t.number(value, "the value written"))


def update(t: Translator, target: ast.Subscript, operator: ast.operator, node: ast.expr) -> None:
    """`a[index] op= node`; the index is evaluated once."""
    name, array = _target(t, target)
    with t.at(target):
        selected = _selection(t, array, target)
        old = indexing.select(t, array, selected)
    new = operators.combine(t, operator, old, t.number(t.evaluate(node)))
    current = t.frame.names[name]
    with t.at(target):
        t.frame.names[name] = written(t, current, selected, new)


def _target(t: Translator, target: ast.Subscript) -> tuple[str, Array]:
    if not isinstance(target.value, ast.Name):
        raise t.error("only elements of a named array can be written", "write a[i, j] = e for a[i][j] = e")
    with t.at(target.value):
        value = t.evaluate(ast.copy_location(ast.Name(target.value.id, ast.Load()), target.value))
        if t.frame.find(target.value.id) is not t.frame:
            raise t.error(
                f"'{target.value.id}' belongs to an outer function and cannot be written here",
                "copy it to a local name first, and return the changed copy",
            )
        return target.value.id, t.array(value, f"'{target.value.id}'")


def _selection(t: Translator, array: Array, target: ast.Subscript) -> Selection:
    parts = indexing.items(t, target.slice)
    if any(isinstance(part, Array) for part in parts):
        raise t.error("elements named by an index array cannot be written", "use tl.scatter(a, indices, values)")
    selected = indexing.selection(t, array, parts)
    if selected.new_axes:
        raise t.error("a new axis cannot be written to", "leave None out of the index")
    return selected


def written(t: Translator, array: Array, selected: Selection, value: Number) -> Array:
    """The array with the selected part replaced."""
    check_storable(t, value, array)
    if all(span.dropped for span in selected.spans):
        return _with_element(t, array, selected, value)
    if not isinstance(value, Scalar) and value.rank > len(selected.dims):
        raise t.error(
            f"an array of rank {value.rank} cannot be written to a part of rank {len(selected.dims)}",
            "write an array of the shape of the part",
            ShapeMismatch,
        )
    part = force(t, broadcast_to(t, value, selected.dims, array.dtype))
    if Affine(0) in selected.dims:
        return array
    for axis, span in enumerate(span for span in selected.spans if not span.dropped):
        if span.is_reversed:
            part = indexing.reverse(t, part, axis)
    offsets, sizes, steps = zip(*((span.offset, span.size, span.step) for span in selected.spans), strict=True)
    operands, attributes = broadcasting.slice_operands(t, [part.ssa, array.ssa], offsets, sizes, steps)
    ssa = t.builder.value("tensor.insert_slice", array.ssa.type, operands, attributes)
    return Array(array.dtype, array.dims, ssa)


def _with_element(t: Translator, array: Array, selected: Selection, value: Number) -> Array:
    if not isinstance(value, Scalar):
        raise t.error("an array cannot be written to one element", "write a scalar, or index fewer axes", ShapeMismatch)
    positions = [integers.index_value(t.builder, span.offset) for span in selected.spans]
    element = promotion.ssa(t.builder, value, array.dtype)
    ssa = t.builder.value("tensor.insert", array.ssa.type, [element, array.ssa, *positions])
    return Array(array.dtype, array.dims, ssa)


def check_storable(t: Translator, value: Number, array: Array) -> None:
    """Refuses a value whose kind of number the array cannot hold."""
    if _KINDS.index(value.dtype.kind) > _KINDS.index(array.dtype.kind):
        raise t.error(
            f"a {value.dtype!r} does not fit into an array of {array.dtype!r}",
            "make the array of the wider type, or convert the value with int(x) or tl.astype(x, ...)",
            TypeMismatch,
        )
