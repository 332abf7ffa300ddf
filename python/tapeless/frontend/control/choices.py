"""Choices inside expressions: `a if c else b`, `and`, `or`; a side runs only when it is needed, unless it is cheap."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend.control.branches import Path, common_form, merged, walk
from tapeless.frontend.values import promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.builder import Scope
from tapeless.frontend.values.value import Scalar, Value, literal
from tapeless.types import bool_

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

_CHEAP = set(
    [
        "addf",
        "subf",
        "mulf",
        "negf",
        "maximumf",
        "minimumf",
        "cmpf",
        "cmpi",
        "select",
        "addi",
        "subi",
        "muli",
        "andi",
        "ori",
        "xori",
        "index_cast",
        "sitofp",
        "uitofp",
        "extui",
        "extsi",
        "trunci",
        "extf",
        "truncf",
    ]
)


_MOST_CHEAP = 8


def conditional(t: Translator, node: ast.IfExp) -> Value:
    """`a if c else b`: a select when both are cheap scalars, else a branch."""
    test = t.evaluate(node.test)
    condition = t.truth(test)
    if isinstance(condition, bool):
        return t.evaluate(node.body if condition else node.orelse)
    return choose(
        t,
        condition,
        lambda: t.held(t.evaluate(node.body)),
        lambda: t.held(t.evaluate(node.orelse)),
        test.implies,
        test.denies,
    )


def choose(
    t: Translator,
    condition: ir.Value,
    then_run: Callable[[], Value],
    other_run: Callable[[], Value],
    implies: Sequence[Affine] = (),
    denies: Sequence[Affine] = (),
) -> Value:
    """One of two values; each is computed only when it is chosen, unless both are cheap scalars."""
    then, other = walk(t, implies, then_run), walk(t, denies, other_run)
    if _is_cheap(then, implies) and _is_cheap(other, denies):
        return _selected(t, condition, then, other)
    return merged(t, condition, [then, other], [[then.result], [other.result]])[0]


def _is_cheap(path: Path, facts: Sequence[Affine]) -> bool:
    """Whether a branch may run even when its condition does not hold, and costs little."""
    operations = list(path.block.operations)
    return (
        isinstance(path.result, Scalar)
        and len(operations) <= _MOST_CHEAP
        and all(_is_cheap_operation(each.operation.name, facts) for each in operations)
    )


def _is_cheap_operation(name: str, facts: Sequence[Affine]) -> bool:
    dialect, _, operation = name.partition(".")
    return (dialect == "arith" and operation in _CHEAP) or (name == "tensor.extract" and not facts)


def _selected(t: Translator, condition: ir.Value, then: Path, other: Path) -> Scalar:
    form = common_form(t, then.result, other.result)
    for path in (then, other):
        t.builder.splice(path.block)
    operands = [promotion.ssa(t.builder, path.result, form.dtype) for path in (then, other)]
    chosen = t.builder.value("arith.select", operands[0].type, [condition, *operands])
    return promotion.from_ssa(t.builder, chosen, form.dtype, weak=form.weak)


def boolean(t: Translator, node: ast.BoolOp) -> Scalar:
    """`a and b`, `a or b`: the right side runs only when it is needed, unless it is cheap and safe."""
    return _boolean(t, isinstance(node.op, ast.And), node.values)


def _boolean(t: Translator, is_and: bool, operands: Sequence[ast.expr]) -> Scalar:
    first = t.evaluate(operands[0])
    left = t.truth(first)
    if len(operands) == 1:
        return (
            literal(left)
            if isinstance(left, bool)
            else Scalar(bool_, left, weak=True, implies=first.implies, denies=first.denies)
        )
    if isinstance(left, bool):
        return _boolean(t, is_and, operands[1:]) if left == is_and else literal(left)
    facts = first.implies if is_and else first.denies
    rest = walk(t, facts, lambda: _boolean(t, is_and, operands[1:]))
    result = _joined_condition(t, is_and, left, rest, facts)
    implies, denies = first.implies + rest.result.implies, first.denies + rest.result.denies
    return Scalar(bool_, result, weak=True, implies=implies if is_and else (), denies=() if is_and else denies)


def _joined_condition(t: Translator, is_and: bool, left: ir.Value, rest: Path, facts: Sequence[Affine]) -> ir.Value:
    if _is_cheap(rest, facts):
        t.builder.splice(rest.block)
        right = promotion.ssa(t.builder, rest.result, bool_)
        return t.builder.value("arith.andi" if is_and else "arith.ori", left.type, [left, right])
    skipped = Path(*_empty(t), {}, literal(not is_and))
    paths = [rest, skipped] if is_and else [skipped, rest]
    both = merged(t, left, paths, [[path.result] for path in paths])[0]
    return both.ssa


def _empty(t: Translator) -> tuple[ir.Block, Scope]:
    scope = Scope()
    with t.builder.region(scope=scope) as block:
        pass
    return block, scope
