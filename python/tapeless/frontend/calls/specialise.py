"""Functions of the module: one per decorated function and combination of argument types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import TypeMismatch
from tapeless.frontend.calls.results import checked_result
from tapeless.frontend.control import joins
from tapeless.frontend.control.joins import Form
from tapeless.frontend.session import Customised, Session
from tapeless.frontend.syntax.source import Source
from tapeless.frontend.translator import Translator
from tapeless.frontend.values import integers, promotion
from tapeless.frontend.values.affine import Symbol
from tapeless.frontend.values.builder import Builder
from tapeless.frontend.values.capture import static_value
from tapeless.frontend.values.frame import frame_for
from tapeless.frontend.values.value import STRUCTURES, Array, Scalar, Value, describe, structured
from tapeless.trees import Static, items_of, leaves, node_of
from tapeless.types import ScalarType, Type


@dataclass(frozen=True)
class Argument:
    """The type of an argument; a weak scalar stays weak in the callee."""

    type: Type
    weak: bool = False


# A tree whose leaves are arguments; what is static in it are Python objects, or values.
Arguments = tuple[Any, ...]


@dataclass(frozen=True)
class Specialisation:
    """A finished function: its name, the form of its result, and the symbols of its flat parameters in that form."""

    name: str
    form: Form
    parameters: tuple[tuple[Symbol, ...], ...]


def function_for(session: Session, source: Source, arguments: Arguments, *, is_public: bool) -> Specialisation:
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


def _translate(session: Session, source: Source, arguments: Arguments, *, is_public: bool) -> Specialisation:
    location = session.location(source.file, source.node)
    name = session.fresh_name(source.name)
    types = [_ssa_type(session, argument.type) for argument in leaves(arguments)]
    attributes = {"sym_name": ir.StringAttr.get(name), "function_type": _function_type(types, [])}
    if not is_public:
        attributes["sym_visibility"] = ir.StringAttr.get("private")
    position = ir.InsertionPoint(session.module.body)
    operation = ir.Operation.create("func.func", [], [], attributes, regions=1, loc=location, ip=position)
    entry = operation.regions[0].blocks.append(*types, arg_locs=[location] * len(types))
    t = Translator(session, Builder(session.types, entry, location), frame_for(source.node, source))
    try:
        values = parameters(t, arguments, list(entry.arguments))
        form, flat = _body(t, values)
    except BaseException:
        t.builder.discard_all()
        raise
    operation.attributes["function_type"] = _function_type(types, [value.type for value in flat])
    return Specialisation(name, form, tuple(_symbols(value) for value in flat_values(values)))


def _body(t: Translator, values: Sequence[Value]) -> tuple[Form, list[ir.Value]]:
    """Translates the body of a function for parameter values; the form of its result and the values returned."""
    source = t.frame.source
    t.frame.names.update(zip((each.name for each in source.parameters), values, strict=True))
    result = checked_result(t, t.result_of_body(), source.returns)
    if next(flat_values([result]), None) is None:
        raise t.error(
            f"the function returns {describe(result)}, without numbers or arrays", "return some of them", TypeMismatch
        )
    form = joins.form_of(t.builder, result)
    flat = _flat(t, result, form)
    t.builder.operation("func.return", [], flat)
    return form, flat


def _flat(t: Translator, result: Value, form: Form) -> list[ir.Value]:
    try:
        return joins.flatten(t, result, form)
    except promotion.LiteralTooLarge as problem:
        with t.at(t.frame.prepared.body[-1]):
            raise t.too_large(problem) from None


def _function_type(arguments: Sequence[ir.Type], results: Sequence[ir.Type]) -> ir.Attribute:
    return ir.TypeAttr.get(ir.FunctionType.get(arguments, results))


def _ssa_type(session: Session, kind: Type) -> ir.Type:
    if isinstance(kind, ScalarType):
        return session.types.scalars[kind]
    shape = [session.types.dynamic if size is None else size for size in kind.shape]
    return ir.RankedTensorType.get(shape, session.types.scalars[kind.dtype], loc=session.types.unknown)


def parameters(t: Translator, arguments: Arguments, values: Sequence[ir.Value]) -> list[Value]:
    """The parameters of a function as values, from the flat ones."""
    remaining = iter(values)
    return [_parameter(t, each, remaining) for each in arguments]


def _parameter(t: Translator, tree: Any, remaining: Iterator[ir.Value]) -> Value:
    node = node_of(tree)
    if node is not None:
        return structured(node, [_parameter(t, item, remaining) for item in items_of(tree)])
    return static_value(t, tree.value) if isinstance(tree, Static) else parameter(t, tree, next(remaining))


def flat_values(values: Iterable[Value]) -> Iterator[Scalar | Array]:
    """The numbers and arrays in values, which have nothing else in them but static parts."""
    for value in values:
        if isinstance(value, STRUCTURES):
            yield from flat_values(value.items)
        elif isinstance(value, (Scalar, Array)):
            yield value


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
