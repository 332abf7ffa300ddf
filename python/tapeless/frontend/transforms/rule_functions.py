"""The functions that `ad.custom_rule` names: the user's rules, on the flat arguments of their function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import TypeMismatch
from tapeless.frontend.arrays import whole_arrays
from tapeless.frontend.calls import specialise
from tapeless.frontend.calls.specialise import Argument, Arguments
from tapeless.frontend.control import joins
from tapeless.frontend.control.joins import ArrayForm, FixedForm, Form, ScalarForm, TupleForm
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.syntax.source import Source
from tapeless.frontend.transforms.closing import Closed, close
from tapeless.frontend.transforms.leaves import filled_like, parts
from tapeless.frontend.values import promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.builder import Scope
from tapeless.frontend.values.frame import frame_for
from tapeless.frontend.values.value import (
    STRUCTURES,
    Array,
    Decorated,
    Opaque,
    Scalar,
    Tuple,
    Value,
    describe,
    literal,
    structured,
)
from tapeless.trees import Static, items_of, node_of, step, words
from tapeless.types import ScalarType

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


@dataclass(frozen=True)
class Primal:
    """The function that rules are for: its arguments, the form of its result, its type in the module."""

    source: Source
    arguments: Arguments
    form: Form
    type: ir.FunctionType

    def parameters(self, t: Translator, values: Sequence[ir.Value]) -> tuple[Value, ...]:
        """Values for the parameters."""
        return tuple(specialise.parameters(t, self.arguments, values))


def reverse(t: Translator, primal: Primal) -> list[Closed]:
    """The functions of a reverse-mode rule: results and residuals, and adjoints from residuals and cotangents."""
    forward_function, kept = _forward(t, primal)
    with _errors_at(t, primal.source.rules.backward):
        with t.builder.region([*joins.types(t.builder, kept), *primal.type.results]) as block:
            values = iter(list(block.arguments))
            given = joins.rebuild(t, kept, values), joins.rebuild(t, _without_sizes(primal.form), values)
            adjoints = _adjoints(t, primal, _call(t, primal.source.rules.backward, *given))
            t.builder.operation("func.return", [], adjoints)
        return [forward_function, close(t, f"{primal.source.name}_bwd", block)]


def _forward(t: Translator, primal: Primal) -> tuple[Closed, Form]:
    """The function of results and residuals, and the form of the residuals."""
    rule, scope = primal.source.rules.forward, Scope()
    with _errors_at(t, rule):
        with t.builder.region(list(primal.type.inputs), scope) as block:
            result = _call(t, rule, *primal.parameters(t, list(block.arguments)))
            value, residuals = _pair(t, result, rule.name, "(result, residuals)")
            flat = _conforming(t, value, primal.form, f"the result of '{rule.name}'")
        _check_residuals(t, residuals, rule.name)
        kept = joins.form_of(t.builder, residuals)
        with t.builder.inside(block, scope):
            t.builder.operation("func.return", [], [*flat, *joins.flatten(t, residuals, kept)])
        return close(t, f"{primal.source.name}_fwd", block), kept


def forward(t: Translator, primal: Primal) -> Closed:
    """The function of a forward-mode rule: results and their tangents, from arguments and their tangents."""
    rule, inputs = primal.source.rules.push, list(primal.type.inputs)
    with _errors_at(t, rule):
        with t.builder.region([*inputs, *inputs]) as block:
            values = list(block.arguments)
            halves = values[: len(inputs)], values[len(inputs) :]
            result = _call(t, rule, *(Tuple(primal.parameters(t, half)) for half in halves))
            value, tangent = _pair(t, result, rule.name, "(result, tangent)")
            flat = _conforming(t, value, primal.form, f"the result of '{rule.name}'")
            moved = _conforming(t, _moving(t, value, tangent), primal.form, f"the tangent from '{rule.name}'")
            t.builder.operation("func.return", [], [*flat, *moved])
        return close(t, f"{primal.source.name}_jvp", block)


@contextmanager
def _errors_at(t: Translator, source: Source) -> Iterator[None]:
    """Errors inside show a rule, and operations carry its location."""
    frame = t.frame
    t.frame = frame_for(source.node, source)
    with t.at(source.node):
        yield
    t.frame = frame


def _call(t: Translator, source: Source, *values: Value) -> Value:
    return t.held(t.call(Decorated(source), values))


def _pair(t: Translator, value: Value, name: str, wanted: str) -> tuple[Value, Value]:
    if isinstance(value, Tuple) and len(value.items) == 2:
        return value.items[0], value.items[1]
    raise t.error(f"'{name}' returns {describe(value)}", f"return {wanted}", TypeMismatch)


def _check_residuals(t: Translator, residuals: Value, name: str) -> None:
    for leaf in parts(residuals):
        if not isinstance(leaf, (Scalar, Array, Opaque)):
            raise t.error(f"the residuals of '{name}' hold {describe(leaf)}", "keep numbers and arrays", TypeMismatch)


def _without_sizes(form: Form) -> Form:
    """A form whose sizes are read where it is rebuilt."""
    if isinstance(form, TupleForm):
        return TupleForm(tuple(_without_sizes(item) for item in form.items), form.node)
    if isinstance(form, ArrayForm):
        return ArrayForm(form.dtype, tuple(size if size and size.is_constant else None for size in form.dims))
    return form


def _conforming(t: Translator, value: Value, form: Form, role: str) -> list[ir.Value]:
    """A value as SSA values of a form that it must have."""
    if isinstance(form, FixedForm):
        return []
    if isinstance(form, TupleForm):
        if not isinstance(value, STRUCTURES) or value.node != form.node or len(value.items) != len(form.items):
            raise t.error(f"{role} is {describe(value)}", f"give {words(form.node, len(form.items))}", TypeMismatch)
        pairs = enumerate(zip(value.items, form.items, strict=True))
        named = [(item, inner, f"{role}{step(form.node, k)}" if form.node.keys else role) for k, (item, inner) in pairs]
        return [each for one in named for each in _conforming(t, *one)]
    rank = 0 if isinstance(form, ScalarForm) else len(form.dims)
    number = t.held(t.number(value, role))
    is_right_rank = rank == (0 if isinstance(number, Scalar) else number.rank)
    is_computed = form.dtype.is_half and number.dtype == promotion.computed(form.dtype)
    is_right_dtype = number.dtype == form.dtype or (isinstance(number, Scalar) and _adapts(number, form)) or is_computed
    if not (is_right_rank and is_right_dtype):
        shape = f"an array of rank {rank}" if rank else "a scalar"
        raise t.error(f"{role} is {describe(number)}", f"give {shape} of {form.dtype!r}", TypeMismatch)
    if isinstance(number, Array):
        for axis, (size, wanted) in enumerate(zip(number.dims, form.dims, strict=True)):
            if wanted is not None and wanted.is_constant:
                broadcasting.same_size(t, size, wanted, axis)
    return joins.flatten(t, number, form)


def _adapts(number: Scalar, form: ScalarForm | ArrayForm) -> bool:
    """Whether a number is converted: a weak one, an integer for a float, or one for a number that is weak itself."""
    is_weak = number.weak or (isinstance(form, ScalarForm) and form.weak)
    return (is_weak and number.dtype.kind == form.dtype.kind) or (form.dtype.is_float and not number.dtype.is_float)


def _moving(t: Translator, value: Value, tangent: Value) -> Value:
    """The tangent, with zeros for results that are integers or bools, whatever the rule gives."""
    if isinstance(value, STRUCTURES) and isinstance(tangent, STRUCTURES) and value.node == tangent.node:
        pairs = zip(value.items, tangent.items, strict=False)
        return structured(value.node, [_moving(t, *pair) for pair in pairs])
    is_fixed = isinstance(value, (Scalar, Array)) and not value.dtype.is_float
    return filled_like(t, value, 0) if is_fixed else tangent


def _adjoints(t: Translator, primal: Primal, value: Value) -> list[ir.Value]:
    """One adjoint per parameter; those of integers and bools are not looked at."""
    name, count = primal.source.rules.backward.name, len(primal.arguments)
    items = value.items if isinstance(value, Tuple) else (value,)
    if len(items) != count:
        raise t.error(
            f"'{name}' returns {len(items)} adjoints for the {count} parameters of '{primal.source.name}'",
            "return a tuple with one for every parameter",
            TypeMismatch,
        )
    found: list[ir.Value] = []
    for parameter, argument, item in zip(primal.source.parameters, primal.arguments, items, strict=True):
        found += _adjoint(t, item, _form(argument), f"the adjoint of '{parameter.name}' from '{name}'")
    return found


def _adjoint(t: Translator, value: Value, form: Form, role: str) -> list[ir.Value]:
    if isinstance(form, TupleForm):
        is_alike = isinstance(value, STRUCTURES) and value.node == form.node and len(value.items) == len(form.items)
        if not is_alike:
            raise t.error(f"{role} is {describe(value)}", f"give {words(form.node, len(form.items))}", TypeMismatch)
        pairs = enumerate(zip(value.items, form.items, strict=True))
        return [each for k, pair in pairs for each in _adjoint(t, *pair, f"{role}{step(form.node, k)}")]
    if isinstance(form, FixedForm):
        return []
    return _conforming(t, value, form, role) if form.dtype.is_float else [_unused(t, form)]


def _form(argument: Any) -> Form:
    """The form of the adjoint of an argument."""
    node = node_of(argument)
    if node is not None:
        return TupleForm(tuple(map(_form, items_of(argument))), node)
    if isinstance(argument, Static):
        return FixedForm(Opaque(None))
    assert isinstance(argument, Argument)
    if isinstance(argument.type, ScalarType):
        return ScalarForm(argument.type, argument.weak)
    return ArrayForm(argument.type.dtype, tuple(None if size is None else Affine(size) for size in argument.type.shape))


def _unused(t: Translator, form: ScalarForm | ArrayForm) -> ir.Value:
    """Something of the type of a form."""
    if isinstance(form, ScalarForm):
        return promotion.ssa(t.builder, literal(0), form.dtype)
    empty = whole_arrays.filled(t, [size or Affine(0) for size in form.dims], literal(0), form.dtype)
    return joins.flatten(t, empty, form)[0]
