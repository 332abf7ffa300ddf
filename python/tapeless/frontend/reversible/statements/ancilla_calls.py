"""`tl.ancilla(value, exit=value, dtype=type)`: its arguments, and the name it is given."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless import lang
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ArgumentError
from tapeless.frontend.reversible.cells.naming import check_new
from tapeless.frontend.reversible.operators import called_operator
from tapeless.frontend.values.value import Opaque
from tapeless.types import ScalarType

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator


@dataclass
class AncillaCall:
    """The arguments of `tl.ancilla`."""

    value: ast.expr
    exit: ast.expr | None
    dtype: ScalarType | None


def name_of(t: ProcedureTranslator, item: ast.withitem) -> ast.Name:
    """The name of an ancilla, which must be new."""
    if not isinstance(item.optional_vars, ast.Name):
        raise t.source.error(
            item.context_expr, "an ancilla needs a name", "write 'with tl.ancilla(0.0) as z:'", ArgumentError
        )
    check_new(t, item.optional_vars, "an ancilla")
    return item.optional_vars


def call_of(t: ProcedureTranslator, item: ast.withitem) -> AncillaCall:
    """The arguments of the `tl.ancilla` of an item."""
    node = item.context_expr
    operator = called_operator(t, node)
    if operator is lang.routine:
        raise t.refusal(node, "a routine shares its 'with' with an ancilla", "give it a 'with' of its own")
    if operator is not lang.ancilla:
        raise t.source.error(node, "'with' takes ancillas and routines only", "write 'with tl.ancilla(0.0) as z:'")
    given = {keyword.arg: keyword.value for keyword in node.keywords}
    given.update(zip(("value", "exit", "dtype"), node.args, strict=False))
    if "value" not in given or not given.keys() <= {"value", "exit", "dtype"} or len(node.args) > 3:
        raise t.source.error(
            node, "tl.ancilla takes a value, and exit= and dtype=", "write tl.ancilla(0.0)", ArgumentError
        )
    return AncillaCall(given["value"], given.get("exit"), _dtype(t, given.get("dtype")))


def _dtype(t: ProcedureTranslator, node: ast.expr | None) -> ScalarType | None:
    if node is None:
        return None
    value = t.evaluate(node)
    if not (isinstance(value, Opaque) and isinstance(value.value, ScalarType)):
        raise t.source.error(node, "this is no type of numbers", "write dtype=tl.f32", ArgumentError)
    return value.value
