"""Translating procedures: a `rev.func` for each, and declarations of the functions that run it on values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tapeless._mlir import ir
from tapeless.dialects.core_context import require_dialect
from tapeless.errors import TypeMismatch
from tapeless.frontend.reversible.cells.cells import Cell, Stack, size_of
from tapeless.frontend.reversible.reading import whole
from tapeless.frontend.reversible.specialisations import Made, StackOf, Type, dtype_of, held_types, parameter_type
from tapeless.frontend.reversible.statements.routines import grouped
from tapeless.frontend.reversible.statements.table import OPERATORS, STATEMENTS
from tapeless.frontend.reversible.translator import ProcedureTranslator, Rules
from tapeless.frontend.session import Session
from tapeless.frontend.syntax import scoping
from tapeless.frontend.syntax.liveness import Analysis
from tapeless.frontend.syntax.procedures import Procedure
from tapeless.frontend.syntax.source import Source
from tapeless.frontend.syntax.unchanged import parameters_of
from tapeless.frontend.values.builder import Builder, Types
from tapeless.frontend.values.frame import Frame, Prepared
from tapeless.frontend.values.value import Scalar

RUN, INVERSE = ".run", ".inv"


def procedure_for(session: Session, source: Source, types: tuple[Type, ...]) -> Made:
    """The procedure of the module for these argument types, translated if it is not there yet."""
    key = (source, types)
    if key not in session.procedures:
        require_dialect(session.module.context, "rev")
        made = Made(session.fresh_name(source.name), parameters_of(source), types)
        session.procedures[key] = made  # before its body, which may call it
        _translate(_rounding_alike(session), source, made)
        made.is_finished = True
    return session.procedures[key]


def declared(session: Session, procedure: Procedure, made: Made) -> str:
    """The name of the function that runs a procedure on values, declared once."""
    name = made.name + (INVERSE if procedure.is_inverse else "") + RUN
    if name not in made.declared:
        made.declared.add(name)
        held = [held_types(session.types, each) for each in made.types]
        values = [type_ for types in held for type_ in types]
        pairs = zip(held, made.changing, strict=True)
        results = [type_ for types, is_changing in pairs if is_changing for type_ in types]
        attributes = {
            "sym_name": ir.StringAttr.get(name),
            "function_type": ir.TypeAttr.get(ir.FunctionType.get(values, results)),
            "sym_visibility": ir.StringAttr.get("private"),
        }
        location = session.location(procedure.source.file, procedure.source.node)
        position = ir.InsertionPoint(session.module.body)
        ir.Operation.create("func.func", [], [], attributes, regions=1, loc=location, ip=position)
    return name


def _rounding_alike(session: Session) -> Session:
    """The session for computations of procedures: no operation may be contracted, or the inverse
    would round otherwise.
    """
    if session.exact is None:
        session.exact = replace(session, types=Types("none"), functions={})
        session.exact.exact = session.exact
    return session.exact


RULES = Rules(grouped, STATEMENTS, OPERATORS, procedure_for)


def _translate(session: Session, source: Source, made: Made) -> None:
    for parameter, type_ in zip(made.parameters, made.types, strict=True):
        if dtype_of(type_).is_half:
            message = f"'{parameter.name}' is {type_!r}, and cells hold no floats of 16 bits"
            raise source.error(source.node, message, "use tl.f32", TypeMismatch)
    location = session.location(source.file, source.node)
    types = [parameter_type(session.types, each) for each in made.types]
    modes = ["inout" if is_changing else "in" for is_changing in made.changing]
    attributes = {
        "sym_name": ir.StringAttr.get(made.name),
        "modes": ir.ArrayAttr.get([ir.StringAttr.get(mode) for mode in modes]),
    }
    position = ir.InsertionPoint(session.module.body)
    operation = ir.Operation.create("rev.func", [], [], attributes, regions=1, loc=location, ip=position)
    titles = [ir.Location.name(parameter.name, location) for parameter in made.parameters]
    entry = operation.regions[0].blocks.append(*types, arg_locs=titles)
    t = ProcedureTranslator(session, Builder(session.types, entry, location), Frame(source, _prepared(source)), RULES)
    try:
        _bind(t, made, entry.arguments)
        t.run(source.body)
    except BaseException:
        t.builder.discard_all()
        raise


def _prepared(source: Source) -> Prepared:
    return Prepared(source.body, Analysis(frozenset(scoping.local_names(source.node)), {}))


def _bind(t: ProcedureTranslator, made: Made, arguments: Sequence[ir.Value]) -> None:
    for parameter, type_, ssa in zip(made.parameters, made.types, arguments, strict=True):
        if isinstance(type_, StackOf):
            t.named[parameter.name] = Stack(parameter.name, type_.dtype, ssa)
            continue
        sizes = tuple(size_of(t.builder, ssa, axis) for axis in range(type_.rank))
        cell = Cell(parameter.name, dtype_of(type_), sizes, ssa, parameter.is_read_only)
        t.named[parameter.name] = cell
        if cell.is_read_only and not cell.rank and not cell.dtype.is_float:
            cell.constant = _constant(t, cell)


def _constant(t: ProcedureTranslator, cell: Cell) -> Scalar:
    """An integer that never changes, read once so that equal indices are known to be equal."""
    with t.unwatched():
        value = whole(t, cell, t.node)
    assert isinstance(value, Scalar)
    return value
