"""Branches: `if` statements, conditional expressions, `and` and `or`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.frontend.control import fillers, joins
from tapeless.frontend.control.joins import Form, Mismatch
from tapeless.frontend.syntax.jumps import holds_result
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.builder import Scope
from tapeless.frontend.values.frame import RAISED, Binding, Delayed, Unbound
from tapeless.frontend.values.value import Scalar, Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


_NOTHING = Unbound("the path has no result", "return one")


@dataclass
class Path:
    """One branch, built apart: where it is, its names at the end, and the value it returns or has."""

    block: ir.Block
    scope: Scope
    names: dict[str, Binding]
    result: Value | None
    has_left: bool = False


def execute(t: Translator, statement: ast.If) -> Value | None:
    """An `if`; a condition known when compiling keeps only its branch."""
    test = t.evaluate(statement.test)
    condition = t.truth(test)
    if isinstance(condition, bool):
        return t.execute(statement.body if condition else statement.orelse)
    then = walk(t, test.implies, lambda: t.execute(statement.body))
    other = walk(t, test.denies, lambda: t.execute(statement.orelse))
    if then.result is not None or other.result is not None:
        results = _filled(t, then, other, then.result or _NOTHING, other.result or _NOTHING)
        return merged(t, condition, [then, other], [[result] for result in results])[0]
    analysis = t.frame.prepared.analysis
    changed = analysis.assigned(statement.body) | analysis.assigned(statement.orelse)
    then.has_left = _has_left(t, statement, then)
    other.has_left = getattr(statement, "has_left_otherwise", False) or _has_left(t, statement, other)
    _merge_names(t, condition, then, other, changed, analysis.needed[statement])
    return None


def _has_left(t: Translator, statement: ast.If, path: Path) -> bool:
    """Whether a path through an `if` raises, or ends in a jump: nothing after the `if` belongs to it.

    Loops over tuples are unrolled, so that what follows them would see the names of a path that left an iteration.
    """
    flags = {RAISED, *getattr(statement, "leaves", ())} - t.frame.unrolled
    values = [path.names.get(flag) for flag in flags]
    return any(isinstance(value, Scalar) and value.literal is True for value in values)


def walk(t: Translator, facts: Sequence[Affine], run: Callable[[], Value | None]) -> Path:
    saved, scope = t.frame.names, Scope(facts=list(facts))
    t.frame.names = dict(saved)
    with t.builder.region(scope=scope) as block:
        result = run()
    path = Path(block, scope, t.frame.names, result)
    t.frame.names = saved
    return path


def _merge_names(
    t: Translator, condition: ir.Value, then: Path, other: Path, changed: frozenset[str], needed: frozenset[str]
) -> None:
    differing = []
    for name in sorted(changed):
        if name not in needed:
            t.frame.names[name] = Unbound(f"'{name}' has no value here", "assign it before")
            continue
        left, right = (_binding(t, path, name) for path in (then, other))
        if holds_result(name) or _is_filled(then, left) or _is_filled(other, right):
            t.frame.filled.add(name)
            left, right = _filled(t, then, other, left, right)
        t.frame.names[name] = _problem(t, name, left, right) or left
        if t.frame.names[name] is left and left is not right:
            differing.append((name, left, right))
    lefts, rights = [left for _, left, _ in differing], [right for _, _, right in differing]
    values = merged(t, condition, [then, other], [lefts, rights])
    t.frame.names.update(zip([name for name, _, _ in differing], values, strict=True))


def _is_filled(path: Path, value: Value | Unbound) -> bool:
    return path.has_left and isinstance(value, Unbound)


def _filled(
    t: Translator, then: Path, other: Path, left: Value | Unbound, right: Value | Unbound
) -> tuple[Value | Unbound, Value | Unbound]:
    """Two results; where one path has none, as it raises or goes on, it gets a filler."""
    if isinstance(left, Unbound) and not isinstance(right, Unbound):
        return _filler(t, then, right), right
    if isinstance(right, Unbound) and not isinstance(left, Unbound):
        return left, _filler(t, other, left)
    return left, right


def _filler(t: Translator, path: Path, like: Value) -> Value:
    form = joins.form_of(t.builder, like)
    with t.builder.inside(path.block, path.scope):
        return fillers.filler(t, form)


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
        if holds_result(name):
            raise fillers.differing_results(t, mismatch) from None
        return Unbound(f"'{name}' is {mismatch} of the 'if' in line {t.node.lineno}", "use two names")
    return None


def merged(t: Translator, condition: ir.Value, paths: Sequence[Path], values: Sequence[Sequence[Value]]) -> list[Value]:
    """An `scf.if` that yields corresponding values of two paths."""
    forms = [common_form(t, left, right) for left, right in zip(*values, strict=True)]
    for path, given in zip(paths, values, strict=True):
        with t.builder.inside(path.block, path.scope):
            flat = [each for value, form in zip(given, forms, strict=True) for each in joins.flatten(t, value, form)]
            t.builder.operation("scf.yield", [], flat)
    types = [each for form in forms for each in joins.types(t.builder, form)]
    operation = t.builder.operation("scf.if", types, [condition], regions=2)
    t.builder.attach(operation, *(path.block for path in paths))
    results = iter(list(operation.results))
    return [joins.rebuild(t, form, results) for form in forms]


def common_form(t: Translator, left: Value, right: Value) -> Form:
    try:
        return joins.join(joins.form_of(t.builder, left), joins.form_of(t.builder, right))
    except Mismatch as mismatch:
        raise t.error(f"the value is {mismatch}", "give both branches the same type") from None
