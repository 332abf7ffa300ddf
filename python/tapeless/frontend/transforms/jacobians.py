"""`tl.jacfwd`, `tl.jacrev` and `tl.hessian` of function values: one derivative for every row of an identity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.errors import TypeMismatch
from tapeless.frontend.arrays import axes, creation, reshaping
from tapeless.frontend.control import joins
from tapeless.frontend.control.joins import ArrayForm, ScalarForm, form_leaves
from tapeless.frontend.elementwise import arithmetic
from tapeless.frontend.elementwise.application import force
from tapeless.frontend.transforms import requests
from tapeless.frontend.transforms.arguments import Arguments
from tapeless.frontend.transforms.closing import close
from tapeless.frontend.transforms.forms import is_float_form, sized_form, with_form
from tapeless.frontend.transforms.gradients import select
from tapeless.frontend.transforms.leaves import Leaf
from tapeless.frontend.transforms.outline import Outlined, outline
from tapeless.frontend.transforms.requests import Seeds
from tapeless.frontend.transforms.titles import symbol_of
from tapeless.frontend.values import integers, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Pending, Scalar, Transform, Value, literal
from tapeless.frontend.values.value import Leaf as ArrayLeaf
from tapeless.types import ScalarType, i64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

Dims = tuple[Affine, ...]


def jacrev(t: Translator, transform: Transform, arguments: Arguments) -> Value:
    """Row by row of every result, by reverse mode."""
    selection = select(t, "jacrev", arguments, transform.argnums)
    moving = selection.moving
    function = outline(t, f"jacrev_{symbol_of(transform.function)}", moving, selection.body(t, transform.function))
    forms = form_leaves(_float_result(t, "jacrev", function))
    blocks = []
    for position, form in enumerate(forms):
        seeds = _identity(t, form.dtype, _dims(form))
        made = requests.vjp(t, _only(t, function, position), range(len(moving)), seeds, transform.method)
        pairs = zip(moving, made.derivatives, strict=True)
        blocks.append(selection.packed([_block(t, leaf.dtype, _dims(form), _dims(leaf), ssa) for leaf, ssa in pairs]))
    return with_form(function.form, blocks)


def jacfwd(t: Translator, transform: Transform, arguments: Arguments) -> Value:
    """Column by column of every argument, by forward mode."""
    selection = select(t, "jacfwd", arguments, transform.argnums)
    moving = selection.moving
    function = outline(t, f"jacfwd_{symbol_of(transform.function)}", moving, selection.body(t, transform.function))
    forms = form_leaves(_float_result(t, "jacfwd", function))
    columns = []
    for position, leaf in enumerate(moving):
        seeds = _identity(t, leaf.dtype, _dims(leaf))
        columns.append(requests.jvp(t, function, [position], seeds, transform.method).derivatives)
    blocks = []
    for row, form in enumerate(forms):
        parts = [_column_block(t, form, leaf, column[row]) for leaf, column in zip(moving, columns, strict=True)]
        blocks.append(selection.packed(parts))
    return with_form(function.form, blocks)


def hessian(t: Translator, transform: Transform, arguments: Arguments) -> Value:
    """Forward mode over reverse mode."""
    inner = Transform("jacrev", transform.function, argnums=transform.argnums, method=transform.method)
    outer = Transform("jacfwd", inner, argnums=transform.argnums, method=transform.method)
    return jacfwd(t, outer, arguments)


def _float_result(t: Translator, kind: str, function: Outlined) -> joins.Form:
    form = sized_form(t, function)
    if not all(is_float_form(leaf) for leaf in form_leaves(form)):
        raise t.error(f"tl.{kind} of a function with integer or bool results", "return floats only", TypeMismatch)
    return form


def _dims(value: Leaf | ScalarForm | ArrayForm) -> Dims:
    return () if isinstance(value, (Scalar, ScalarForm)) else value.dims


def _identity(t: Translator, dtype: ScalarType, dims: Dims) -> Seeds:
    """One seed per element of a shape, with a one there; a scalar needs no seed axis."""
    if not dims:
        return Seeds([promotion.ssa(t.builder, literal(1), dtype)])
    size = reshaping.product(t, dims)
    numbers = creation.generated(t, size, i64, lambda index: creation.as_integer(t, index))
    places = reshaping.reshaped(t, numbers, dims)
    row, place = ArrayLeaf(numbers.ssa, (0,)), ArrayLeaf(places.ssa, tuple(range(1, len(dims) + 1)))
    one, zero = (promotion.ssa(t.builder, literal(number), dtype) for number in (1, 0))

    def build(elements: dict[ArrayLeaf, ir.Value]) -> ir.Value:
        is_here = integers.compare(t.builder, "eq", elements[row], elements[place])
        return arithmetic.select(t.builder, is_here, one, zero)

    return Seeds([force(t, Pending(dtype, (size, *dims), (row, place), build)).ssa], size, is_identity=True)


def _block(t: Translator, dtype: ScalarType, rows: Dims, columns: Dims, ssa: ir.Value) -> Value:
    """A stack of adjoints as a block of the Jacobian: result shape, then argument shape."""
    if not rows:
        return promotion.from_ssa(t.builder, ssa, dtype) if not columns else Array(dtype, columns, ssa)
    return reshaping.reshaped(t, Array(dtype, (reshaping.product(t, rows), *columns), ssa), (*rows, *columns))


def _column_block(t: Translator, form: ScalarForm | ArrayForm, leaf: Leaf, ssa: ir.Value) -> Value:
    """A stack of tangents as a block of the Jacobian: the stacking axis last, in the shape of the argument."""
    rows, columns = _dims(form), _dims(leaf)
    if not columns:
        return _block(t, form.dtype, (), rows, ssa)
    stack = Array(form.dtype, (reshaping.product(t, columns), *rows), ssa)
    order = (*range(1, len(rows) + 1), 0)
    return reshaping.reshaped(t, axes.permuted(t, stack, order), (*rows, *columns))


def _only(t: Translator, function: Outlined, position: int) -> Outlined:
    """The function with one of its results."""
    if len(function.result_types) == 1:
        return function
    with t.builder.region([operand.type for operand in function.operands]) as block:
        callee = {"callee": ir.FlatSymbolRefAttr.get(function.name)}
        call = t.builder.operation("func.call", function.result_types, list(block.arguments), callee)
        t.builder.operation("func.return", [], [call.results[position]])
    name = close(t, f"{function.name}_{position}", block).name
    form = form_leaves(function.form)[position]
    return Outlined(name, function.operands, form, (function.result_types[position],))
