"""Calls of procedures in procedures, on cells and parts of them: `f(a, b[i])`, `(~f)(a, b[i])`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.frontend.elementwise.broadcasting import same_size
from tapeless.frontend.reversible.cells import places
from tapeless.frontend.reversible.cells.cells import Access, Place, Stack
from tapeless.frontend.reversible.cells.overlaps import Overlap, overlap, text
from tapeless.frontend.reversible.cells.views import as_cell
from tapeless.frontend.reversible.specialisations import StackOf, Type
from tapeless.frontend.reversible.statements import read_only_arguments
from tapeless.frontend.syntax.procedures import Procedure
from tapeless.frontend.syntax.unchanged import parameters_of
from tapeless.frontend.values.affine import Affine
from tapeless.signature import Parameter
from tapeless.types import ArrayType, ScalarType, strong

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator

Argument = Place | Stack
MOST_SIZES = 64


def call(t: ProcedureTranslator, procedure: Procedure, node: ast.Call) -> None:
    """A `rev.call`; a value that is no cell is put into one, for parameters that are only read."""
    nodes = _bound(t, procedure, node)
    read_only_arguments.with_cells(t, parameters_of(procedure.source), nodes, lambda held: _call(t, procedure, held))


def _call(t: ProcedureTranslator, procedure: Procedure, nodes: Sequence[ast.expr]) -> None:
    parameters = procedure.source.parameters
    given = [_argument(t, each) for each in nodes]
    types = tuple(_type(t, *triple) for triple in zip(parameters, given, nodes, strict=True))
    _check_versions(t, procedure)
    made = t.rules.procedure_for(t.session, procedure.source, types)
    cells = [
        (Access(place, each), not is_changing)
        for place, each, is_changing in zip(given, nodes, made.changing, strict=True)
        if isinstance(place, Place)
    ]
    for (one, is_only_read), (other, is_other_only_read) in combinations(cells, 2):
        if not (is_only_read and is_other_only_read):
            _check_apart(t, one, other)
    operands = [each.ssa if isinstance(each, Stack) else as_cell(t.builder, each) for each in given]
    attributes = {"callee": ir.FlatSymbolRefAttr.get(made.name), "inv": ir.BoolAttr.get(procedure.is_inverse)}
    t.builder.operation("rev.call", [], operands, attributes)
    for access, is_only_read in cells:
        (t.has_read if is_only_read else t.has_written)(access.place, access.node)


def _check_versions(t: ProcedureTranslator, procedure: Procedure) -> None:
    """Refuses a procedure that calls itself with ever new sizes that are known when compiling."""
    versions = [made for (source, _), made in t.session.procedures.items() if source is procedure.source]
    if sum(not made.is_finished for made in versions) > MOST_SIZES:
        raise t.error(
            f"'{procedure.source.name}' calls itself with more than {MOST_SIZES} sizes that are known when compiling",
            "let the sizes of its arrays be unknown, as in 'x: tl.f64[:]'",
        )


def _bound(t: ProcedureTranslator, procedure: Procedure, node: ast.Call) -> list[ast.expr]:
    """The argument of every parameter; a number may be the default of one that is only read."""
    parameters = procedure.source.parameters
    names = [parameter.name for parameter in parameters]
    positional = [each.name for each in parameters if not each.keyword_only]
    bound = dict(zip(positional, node.args, strict=False))
    bound.update({keyword.arg or "": keyword.value for keyword in node.keywords})
    is_twice = len(bound) < len(node.args) + len(node.keywords)
    for each in parameters:
        if each.is_read_only and isinstance(each.default, (bool, int, float)):
            bound.setdefault(each.name, ast.copy_location(ast.Constant(each.default), node))
    if is_twice or bound.keys() != set(names):
        raise t.error(
            f"'{procedure.source.name}' is not called with every parameter once",
            f"its parameters: {', '.join(names)}",
            ArgumentError,
        )
    return [bound[name] for name in names]


def _argument(t: ProcedureTranslator, node: ast.expr) -> Argument:
    found = t.named.get(node.id) if isinstance(node, ast.Name) else None
    return found if isinstance(found, Stack) else places.place_of(t, node)


def _type(t: ProcedureTranslator, parameter: Parameter, given: Argument, node: ast.expr) -> Type:
    """The type that the procedure is translated for: that of the argument, which must be as annotated."""
    if isinstance(given, Stack):
        return StackOf(given.dtype)
    dtype = given.cell.dtype
    sizes = tuple(size.constant if size.is_constant else None for size in given.dims)
    found = ArrayType(dtype, sizes) if sizes else dtype
    if parameter.type is None:
        return found
    wanted = strong(parameter.type)
    if (wanted if isinstance(wanted, ScalarType) else wanted.dtype) != dtype or wanted.rank != found.rank:
        raise t.source.error(
            node,
            f"'{parameter.name}' is {wanted!r}, and the argument {found!r}",
            "pass a cell of the annotated type",
            TypeMismatch,
        )
    if isinstance(wanted, ArrayType):
        for axis, (size, known) in enumerate(zip(wanted.shape, given.dims, strict=True)):
            if size is not None:
                same_size(t, known, Affine(size), axis)
    return found


def _check_apart(t: ProcedureTranslator, one: Access, other: Access) -> None:
    if overlap(t.builder, one.place, other.place) is Overlap.ALWAYS:
        raise t.refusal(
            other.node,
            f"'{text(one.node)}' and '{text(other.node)}' share elements, and the procedure changes one of them",
            "pass different cells, or copy one into an ancilla first",
        )
