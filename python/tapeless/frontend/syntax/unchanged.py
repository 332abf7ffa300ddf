"""Which parameters a procedure may change, itself or through the procedures it calls; needs no MLIR.

Procedures may call themselves and each other: their sets of changed parameters grow together, from what their own
statements change, until no call adds to them. What stays outside is only read, as if it were marked `tl.In`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tapeless import lang
from tapeless.frontend.syntax.procedures import Procedure
from tapeless.frontend.syntax.scoping import dotted_name, local_names, own_nodes
from tapeless.signature import Parameter

if TYPE_CHECKING:
    from tapeless.frontend.syntax.source import Source

Changed = dict["Source", set[str]]
# How many of its first arguments a statement changes.
CHANGED_BY: dict[Any, int] = {lang.recip: 1, lang.rot: 2, lang.hadamard: 2, lang.push: 2, lang.pop: 2}


def parameters_of(source: Source) -> tuple[Parameter, ...]:
    """The parameters of a procedure; those that it leaves unchanged are only read, whether marked so or not."""
    changed = _changed(source)[source]
    return tuple(
        replace(each, is_read_only=each.is_read_only or each.name not in changed) for each in source.parameters
    )


def _changed(source: Source) -> Changed:
    """The names that a procedure and all that it calls may change, by the least fixed point."""
    found: Changed = {}
    _collect(source, found)
    grows = True
    while grows:
        grows = False
        for caller, names in found.items():
            more = {name for call in _calls(caller) for name in _through(caller, call, found)} - names
            names |= more
            grows = grows or bool(more)
    return found


def _collect(source: Source, found: Changed) -> None:
    """The procedures that can be reached, each with the names that its own statements change."""
    pending = [source]
    while pending:
        each = pending.pop()
        if each not in found:
            found[each] = set(_assigned(each))
            callees = (callee_of(each, call) for call in _calls(each))
            pending += [callee for callee in callees if callee is not None]


def _assigned(source: Source) -> Iterator[str]:
    for node in own_nodes(source.body):
        if isinstance(node, ast.AugAssign | ast.AnnAssign):
            yield from _roots(node.target)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _roots(target)


def _calls(source: Source) -> Iterator[ast.Call]:
    """The calls that are statements."""
    for node in own_nodes(source.body):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield node.value


def _through(source: Source, call: ast.Call, found: Changed) -> Iterator[str]:
    """The names that a call changes; all that it names where its callee is unknown."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    callee = callee_of(source, call)
    if callee is not None:
        positional = [each.name for each in callee.parameters if not each.keyword_only]
        pairs = [*zip(positional, call.args, strict=False), *((each.arg, each.value) for each in call.keywords)]
        given = [value for name, value in pairs if name in found[callee]]
    elif (operator := lang.meaning(_meant(source, call.func))) in CHANGED_BY:
        names = [*list(operator.__signature__.parameters)[: len(call.args)], *(each.arg for each in call.keywords)]
        first = list(operator.__signature__.parameters)[: CHANGED_BY[operator]]
        given = [value for name, value in zip(names, given, strict=False) if name in first]
    for value in given:
        yield from _roots(value)


def callee_of(source: Source, call: ast.Call) -> Source | None:
    """The procedure that a call runs, or whose inverse it runs: both change the same."""
    node = call.func
    while isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        node = node.operand
    value = _meant(source, node)
    procedure = getattr(value, "procedure", value)
    return procedure.source if isinstance(procedure, Procedure) else None


def _meant(source: Source, node: ast.expr) -> Any:
    """The value of an outside name; None for a name of the procedure's own."""
    name = dotted_name(node)
    if name is None or name.split(".")[0] in local_names(source.node):
        return None
    try:
        return source.lookup(name)
    except KeyError:
        return None


def _roots(node: ast.expr) -> Iterator[str]:
    """The names of the cells that an argument or a target is, or is a part of."""
    if isinstance(node, ast.Tuple | ast.List):
        for each in node.elts:
            yield from _roots(each)
    elif isinstance(node, ast.Starred):
        yield from _roots(node.value)
    else:
        while isinstance(node, ast.Subscript):
            node = node.value
        if isinstance(node, ast.Name):
            yield node.id
