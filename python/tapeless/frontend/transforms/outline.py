"""Functions of the module made from code at a call: free values of the code become parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import TypeMismatch
from tapeless.frontend.control import joins
from tapeless.frontend.control.joins import Form
from tapeless.frontend.operators.mapping import ssa
from tapeless.frontend.transforms import custom_rules
from tapeless.frontend.transforms.closing import close
from tapeless.frontend.transforms.leaves import Leaf, parts, with_ssa
from tapeless.frontend.values.builder import Scope
from tapeless.frontend.values.value import KEPT, Array, Scalar, Value, describe

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


@dataclass(frozen=True)
class Outlined:
    """A private function, the operands of its call here, and the form of its result as seen from here.

    The first operands are the leaves it was made for, the others what it captures.
    """

    name: str
    operands: tuple[ir.Value, ...]
    form: Form
    result_types: tuple[ir.Type, ...]

    def call(self, t: Translator) -> Value:
        """The result of the function itself."""
        callee = {"callee": ir.FlatSymbolRefAttr.get(self.name)}
        operation = t.builder.operation("func.call", self.result_types, self.operands, callee)
        return joins.rebuild(t, self.form, iter(list(operation.results)))


def outline(t: Translator, title: str, moving: Sequence[Leaf], body: Callable[[list[Value]], Value]) -> Outlined:
    """The function of some leaves that `body` translates."""
    operands = [ssa(t, leaf) for leaf in moving]
    scope = Scope()
    with t.builder.region([operand.type for operand in operands], scope) as block:
        arguments = [with_ssa(t, *pair) for pair in zip(moving, list(block.arguments), strict=True)]
        result = t.held(body(arguments))
    _check_result(t, result)
    form = joins.form_of(t.builder, result)
    with t.builder.inside(block, scope):
        t.builder.operation("func.return", [], joins.flatten(t, result, form))
    closed = close(t, title, block)
    custom_rules.attach(t, closed.function)
    return Outlined(closed.name, (*operands, *closed.captures), form, tuple(joins.types(t.builder, form)))


def _check_result(t: Translator, result: Value) -> None:
    for leaf in parts(result):
        if not isinstance(leaf, (Scalar, Array)) and (leaf is result or not isinstance(leaf, KEPT)):
            raise t.error(
                f"the function returns {describe(leaf)}", "return numbers, arrays or structures of them", TypeMismatch
            )
