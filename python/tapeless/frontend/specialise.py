"""Functions of the module: one per decorated function and combination of argument types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.errors import TypeMismatch
from tapeless.frontend import broadcasting, exactness, integers, joins, promotion
from tapeless.frontend.affine import Affine, Symbol
from tapeless.frontend.builder import Builder
from tapeless.frontend.frame import frame_for
from tapeless.frontend.joins import ArrayForm, Form, TupleForm
from tapeless.frontend.results import checked_result
from tapeless.frontend.session import Customised, Session
from tapeless.frontend.source import Source
from tapeless.frontend.values import Array, Scalar, Value, type_of
from tapeless.types import ArrayType, ScalarType, Type

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


@dataclass(frozen=True)
class Argument:
    """The type of an argument; a weak scalar stays weak in the callee."""

    type: Type
    weak: bool = False


@dataclass(frozen=True)
class Specialisation:
    """A finished function: its name, the form of its result, and the symbols of its parameters in that form."""

    name: str
    form: Form
    parameters: tuple[tuple[Symbol, ...], ...]


def function_for(
    session: Session, source: Source, arguments: tuple[Argument, ...], *, is_public: bool
) -> Specialisation:
    """The function of the module for these argument types, translated if it is not there yet."""
    key = (source, arguments)
    if key not in session.functions:
        session.under_way.append(source)
        session.functions[key] = _translate(session, source, arguments, is_public=is_public)
        session.under_way.pop()
        if source.rules is not None:
            made = session.functions[key]
            session.customised[made.name] = Customised(source, arguments, made)
    return session.functions[key]


def _translate(session: Session, source: Source, arguments: tuple[Argument, ...], *, is_public: bool) -> Specialisation:
    from tapeless.frontend.translator import Translator

    location = session.location(source.file, source.node)
    name = session.fresh_name(source.name)
    types = [_ssa_type(session, argument.type) for argument in arguments]
    attributes = {"sym_name": ir.StringAttr.get(name), "function_type": _function_type(types, [])}
    if not is_public:
        attributes["sym_visibility"] = ir.StringAttr.get("private")
    position = ir.InsertionPoint(session.module.body)
    operation = ir.Operation.create("func.func", [], [], attributes, regions=1, loc=location, ip=position)
    entry = operation.regions[0].blocks.append(*types, arg_locs=[location] * len(types))
    t = Translator(session, Builder(session.types, entry, location), frame_for(source.node, source))
    try:
        values = [parameter(t, argument, value) for argument, value in zip(arguments, entry.arguments, strict=True)]
        form, flat = _body(t, values)
    except BaseException:
        t.builder.discard_all()
        raise
    operation.attributes["function_type"] = _function_type(types, [value.type for value in flat])
    return Specialisation(name, form, tuple(_symbols(value) for value in values))


def _body(t: Translator, values: Sequence[Scalar | Array]) -> tuple[Form, list[ir.Value]]:
    """Translates the body of a function for parameter values; the form of its result and the values returned."""
    source = t.frame.source
    t.frame.names.update(zip((each.name for each in source.parameters), values, strict=True))
    result = checked_result(t, t.execute(t.frame.prepared.body), source.returns)
    form = joins.form_of(t.builder, result)
    flat = joins.flatten(t, result, form)
    t.builder.operation("func.return", [], flat)
    return form, flat


def _function_type(arguments: Sequence[ir.Type], results: Sequence[ir.Type]) -> ir.Attribute:
    return ir.TypeAttr.get(ir.FunctionType.get(arguments, results))


def _ssa_type(session: Session, kind: Type) -> ir.Type:
    if isinstance(kind, ScalarType):
        return session.types.scalars[kind]
    shape = [session.types.dynamic if size is None else size for size in kind.shape]
    return ir.RankedTensorType.get(shape, session.types.scalars[kind.dtype], loc=session.types.unknown)


def parameter(t: Translator, argument: Argument, value: ir.Value) -> Scalar | Array:
    """A parameter as a value."""
    if isinstance(argument.type, ScalarType):
        return promotion.from_ssa(t.builder, value, argument.type, weak=argument.weak)
    dims = tuple(integers.size_of(t.builder, value, axis) for axis in range(argument.type.rank))
    return Array(argument.type.dtype, dims, value)


def _symbols(value: Scalar | Array) -> tuple[Symbol, ...]:
    """The symbols a parameter brings in, one per size or for an integer itself."""
    affines = value.dims if isinstance(value, Array) else (value.affine,)
    return tuple(affine.symbol() if affine is not None else None for affine in affines)


def call(t: Translator, source: Source, values: Sequence[Scalar | Array]) -> Value:
    """A `func.call` of another decorated function."""
    if source in t.session.under_way:
        raise t.error(f"'{source.name}' calls itself, and recursion is not supported", "write a loop")
    pairs = list(zip(source.parameters, values, strict=True))
    values = [
        value if parameter.type is None else as_annotated(t, parameter.name, parameter.type, value)
        for parameter, value in pairs
    ]
    values = [_as_computed(t, value) for value in values]
    arguments = tuple(Argument(type_of(value), isinstance(value, Scalar) and value.weak) for value in values)
    callee = function_for(t.session, source, arguments, is_public=False)
    operands = [promotion.ssa(t.builder, value) if isinstance(value, Scalar) else value.ssa for value in values]
    attributes = {"callee": ir.FlatSymbolRefAttr.get(callee.name)}
    form = _at_caller(t, callee.form, _substitution(callee, values))
    static = joins.types(t.builder, callee.form)
    operation = t.builder.operation("func.call", static, operands, attributes)
    return joins.rebuild(t, form, iter(list(operation.results)))


def _as_computed(t: Translator, value: Scalar | Array) -> Scalar | Array:
    """An argument whose integer is what the callee gets, so that sizes computed from it are the same at both."""
    if isinstance(value, Array) or value.affine is None or value.affine.is_constant:
        return value
    return replace(value, affine=exactness.as_computed(t.builder, value.affine))


def as_annotated(t: Translator, name: str, wanted: Type, value: Scalar | Array) -> Scalar | Array:
    """An argument as its parameter is annotated."""
    given = type_of(value)
    if wanted.rank != given.rank:
        raise t.error(
            f"'{name}' is {wanted!r}, and the argument {given!r}",
            "pass an argument of that rank",
            TypeMismatch,
        )
    if isinstance(wanted, ScalarType):
        return _scalar_as(t, name, value, wanted)
    if wanted.dtype != value.dtype:
        raise t.error(
            f"'{name}' is {wanted!r}, and the argument {given!r}",
            "convert it with tl.astype(x, ...)",
            TypeMismatch,
        )
    return _array_as(t, value, wanted)


def _scalar_as(t: Translator, name: str, value: Scalar, wanted: ScalarType) -> Scalar:
    is_lossless = value.dtype == wanted or (wanted.is_float and not value.dtype.is_float)
    if not is_lossless and not (value.weak and value.dtype.kind == wanted.kind):
        raise t.error(
            f"'{name}' is {wanted!r}, and the argument {value.dtype!r}",
            "convert it, for example with int(x) or float(x)",
            TypeMismatch,
        )
    if value.affine is not None and wanted == value.dtype:
        return Scalar(wanted, affine=value.affine)
    return promotion.from_ssa(t.builder, promotion.ssa(t.builder, value, wanted), wanted)


def _array_as(t: Translator, value: Array, wanted: ArrayType) -> Array:
    """An array with the sizes a type makes static; checked unless they are known."""
    dims = []
    for axis, (size, given) in enumerate(zip(wanted.shape, value.dims, strict=True)):
        dims.append(given if size is None else broadcasting.same_size(t, given, Affine(size), axis))
    return Array(value.dtype, tuple(dims), broadcasting.with_static_sizes(t, value.ssa, dims))


def _substitution(callee: Specialisation, values: Sequence[Scalar | Array]) -> dict[Symbol, Affine]:
    """What the symbols of the callee's parameters are at the caller."""
    found: dict[Symbol, Affine] = {}
    for symbols, value in zip(callee.parameters, values, strict=True):
        affines = value.dims if isinstance(value, Array) else (value.affine,)
        found.update({symbol: affine for symbol, affine in zip(symbols, affines, strict=True) if symbol and affine})
    return found


def _at_caller(t: Translator, form: Form, known: dict[Symbol, Affine]) -> Form:
    """The form of a result with its sizes in terms of the caller, None where that is not possible."""
    if isinstance(form, TupleForm):
        return TupleForm(tuple(_at_caller(t, item, known) for item in form.items))
    if isinstance(form, ArrayForm):
        return ArrayForm(form.dtype, tuple(_size_at_caller(size, known) for size in form.dims))
    return form


def _size_at_caller(size: Affine | None, known: dict[Symbol, Affine]) -> Affine | None:
    """A size in terms of the caller; a negative one is left to the callee, which refuses it when it runs."""
    if size is None or any(symbol not in known for symbol in size.terms):
        return None
    total = Affine(size.constant)
    for symbol, coefficient in size.terms.items():
        total = total.plus(known[symbol], coefficient)
    return None if total.is_constant and total.constant < 0 else total
