"""Branches: `if` statements, conditional expressions, `and` and `or`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend import joins, liveness, promotion
from tapeless.frontend.affine import Affine
from tapeless.frontend.builder import Scope
from tapeless.frontend.frame import Binding, Delayed, Unbound
from tapeless.frontend.joins import Form, Mismatch
from tapeless.frontend.values import Scalar, Value, literal
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


@dataclass
class Path:
    """One branch, built apart: where it is, its names at the end, and the value it returns or has."""

    block: ir.Block
    scope: Scope
    names: dict[str, Binding]
    result: Value | None


def execute(t: Translator, statement: ast.If) -> Value | None:
    """An `if`; a condition known when compiling keeps only its branch."""
    test = t.evaluate(statement.test)
    condition = t.truth(test)
    if isinstance(condition, bool):
        return t.execute(statement.body if condition else statement.orelse)
    then = _walk(t, test.implies, lambda: t.execute(statement.body))
    other = _walk(t, test.denies, lambda: t.execute(statement.orelse))
    if then.result is not None and other.result is not None:
        return _merged(t, condition, [then, other], [[then.result], [other.result]])[0]
    changed = liveness.assigned(statement.body) | liveness.assigned(statement.orelse)
    _merge_names(t, condition, then, other, changed, t.frame.prepared.analysis.needed[statement])
    return None


def _walk(t: Translator, facts: Sequence[Affine], run: Callable[[], Value | None]) -> Path:
    saved, scope = t.frame.names, Scope(facts=list(facts))
    t.frame.names = dict(saved)
    with t.builder.region(scope=scope) as block:
        result = run()
    path = Path(block, scope, t.frame.names, result)
    t.frame.names = saved
    return path


def _merge_names(
    t: Translator, condition: ir.Value, then: Path, other: Path, changed: set[str], needed: frozenset[str]
) -> None:
    merged = []
    for name in sorted(changed):
        if name not in needed:
            t.frame.names[name] = Unbound(f"'{name}' has no value here", "assign it before")
            continue
        left, right = (_binding(t, path, name) for path in (then, other))
        problem = _problem(t, name, left, right)
        if problem is not None:
            t.frame.names[name] = problem
        elif left is not right:
            merged.append((name, left, right))
    lefts, rights = [left for _, left, _ in merged], [right for _, _, right in merged]
    values = _merged(t, condition, [then, other], [lefts, rights])
    t.frame.names.update(zip([name for name, _, _ in merged], values, strict=True))


def _binding(t: Translator, path: Path, name: str) -> Value | Unbound:
    binding = path.names.get(name, Unbound(f"'{name}' has no value yet", "assign it before"))
    if isinstance(binding, Delayed):
        with t.builder.inside(path.block, path.scope):
            return binding.compute()
    return binding


def _problem(t: Translator, name: str, left: Value | Unbound, right: Value | Unbound) -> Unbound | None:
    """Why a name cannot be read after a branch, if it cannot."""
    if isinstance(left, Unbound) or isinstance(right, Unbound):
        return Unbound(
            f"'{name}' has a value on only some paths through the 'if' in line {t.node.lineno}",
            "assign it before the 'if' or in every branch",
        )
    try:
        joins.join(joins.form_of(t.builder, left), joins.form_of(t.builder, right))
    except Mismatch as mismatch:
        return Unbound(f"'{name}' is {mismatch} of the 'if' in line {t.node.lineno}", "use two names")
    return None


def _merged(
    t: Translator, condition: ir.Value, paths: Sequence[Path], values: Sequence[Sequence[Value]]
) -> list[Value]:
    """An `scf.if` that yields corresponding values of two paths."""
    forms = [_join(t, left, right) for left, right in zip(*values, strict=True)]
    for path, given in zip(paths, values, strict=True):
        with t.builder.inside(path.block, path.scope):
            flat = [each for value, form in zip(given, forms, strict=True) for each in joins.flatten(t, value, form)]
            t.builder.operation("scf.yield", [], flat)
    types = [each for form in forms for each in joins.types(t.builder, form)]
    operation = t.builder.operation("scf.if", types, [condition], regions=2)
    t.builder.attach(operation, *(path.block for path in paths))
    results = iter(list(operation.results))
    return [joins.rebuild(t, form, results) for form in forms]


def _join(t: Translator, left: Value, right: Value) -> Form:
    try:
        return joins.join(joins.form_of(t.builder, left), joins.form_of(t.builder, right))
    except Mismatch as mismatch:
        raise t.error(f"the value is {mismatch}", "give both branches the same type") from None


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
    then, other = _walk(t, implies, then_run), _walk(t, denies, other_run)
    if _is_cheap(then, implies) and _is_cheap(other, denies):
        return _selected(t, condition, then, other)
    return _merged(t, condition, [then, other], [[then.result], [other.result]])[0]


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
    form = _join(t, then.result, other.result)
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
    rest = _walk(t, facts, lambda: _boolean(t, is_and, operands[1:]))
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
    merged = _merged(t, left, paths, [[path.result] for path in paths])[0]
    return merged.ssa


def _empty(t: Translator) -> tuple[ir.Block, Scope]:
    scope = Scope()
    with t.builder.region(scope=scope) as block:
        pass
    return block, scope
