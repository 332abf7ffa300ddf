"""Liveness of names: the values that loops have to carry and branches have to yield."""

from __future__ import annotations

import ast
from dataclasses import field

from tapeless.dataclasses_on_use import dataclass
from tapeless.frontend.syntax import scoping
from tapeless.frontend.syntax.comprehensions import Comprehension

# What calls the functions it is given at once, and keeps none.
AT_ONCE = frozenset({"map", "reduce", "scan", "hist", "jvp", "hvp"})


@dataclass
class Liveness:
    """Per `if`, the names read after it; per loop, those needed whenever its head is reached.

    What a body needs whatever follows it is remembered in `entered`: a head needs this and what is needed after the
    loop, so that one more visit of the body is enough, and nested loops do not double the visits.
    """

    always: frozenset[str]
    needed: dict[ast.stmt, frozenset[str]] = field(default_factory=dict)
    read: dict[ast.AST, frozenset[str]] = field(default_factory=dict)
    entered: dict[ast.stmt, frozenset[str]] = field(default_factory=dict)

    def block(self, body: list[ast.stmt], after: frozenset[str]) -> frozenset[str]:
        """The names needed before some statements, given those needed after them."""
        for statement in reversed(body):
            after = self._statement(statement, after)
        return after

    def _statement(self, statement: ast.stmt, after: frozenset[str]) -> frozenset[str]:
        if isinstance(statement, ast.If):
            self.needed[statement] = after | self.always
            inside = self.block(statement.body, after) | self.block(statement.orelse, after)
            return self._reads(statement.test) | inside
        if isinstance(statement, ast.For):
            return self._reads(statement.iter) | self._head(statement, after, frozenset(), _targets(statement.target))
        if isinstance(statement, ast.While):
            return self._head(statement, after, self._reads(statement.test), frozenset())
        if isinstance(statement, ast.Assign):
            kept = after
            for target in statement.targets:
                kept = (kept - _targets(target)) | _target_reads(target)
            return kept | self._reads(statement.value)
        if isinstance(statement, ast.FunctionDef):
            return after - {statement.name}
        return after | self._reads(statement)

    def _reads(self, node: ast.AST) -> frozenset[str]:
        """Looked up after the first time, because the bodies of loops are visited again and again."""
        if node not in self.read:
            self.read[node] = _reads(node)
        return self.read[node]

    def _head(
        self, loop: ast.For | ast.While, after: frozenset[str], test: frozenset[str], targets: frozenset[str]
    ) -> frozenset[str]:
        stop = frozenset({loop.stop_flag} if loop.stop_flag else ())
        if loop not in self.entered:
            self.entered[loop] = self.block(loop.body, stop)
        head = after | test | (self.entered[loop] - targets)
        self.block(loop.body, head | stop)
        self.needed[loop] = head | self.always
        return head


@dataclass(frozen=True)
class Analysis:
    """The names that a function's statements assign and need; those assigned in nests are found once.

    Nested functions that may be called anywhere read the names `always`, which are among those needed everywhere.
    """

    locals: frozenset[str]
    needed: dict[ast.stmt, frozenset[str]]
    always: frozenset[str] = frozenset()
    stored: dict[ast.stmt, frozenset[str]] = field(default_factory=dict)

    def assigned(self, body: list[ast.stmt]) -> frozenset[str]:
        """The names some statements change."""
        return frozenset().union(*map(self._assigned_by, body))

    def _assigned_by(self, statement: ast.stmt) -> frozenset[str]:
        if statement not in self.stored:
            own: list[ast.AST] = [statement]
            inner: frozenset[str] = frozenset()
            if isinstance(statement, (ast.If, ast.For, ast.While)):
                own = [statement.target, statement.iter] if isinstance(statement, ast.For) else [statement.test]
                inner = self.assigned(statement.body) | self.assigned(statement.orelse)
            self.stored[statement] = inner | scoping.stored_names(scoping.own_nodes(own))
        return self.stored[statement]


def analyse(function: scoping.Function, body: list[ast.stmt]) -> Analysis:
    """The analysis of a function whose structured body is given."""
    always = frozenset(name for node in _called_later(body) for name in scoping.free_names(node))
    liveness = Liveness(always)
    liveness.block(body, frozenset())
    names = scoping.local_names(function) | {
        node.id for node in scoping.own_nodes(body) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return Analysis(frozenset(names), liveness.needed, always)


def _called_later(body: list[ast.stmt]) -> list[scoping.Function]:
    """The nested functions that may be called where they are not written: all but those called at once."""
    nodes = list(scoping.own_nodes(body))
    given = {argument for node in nodes if isinstance(node, ast.Call) for argument in _called_at_once(node)}
    given |= {function for node in nodes if isinstance(node, Comprehension) for function in node.functions}
    return [node for node in nodes if isinstance(node, (ast.FunctionDef, ast.Lambda)) and node not in given]


def _called_at_once(call: ast.Call) -> list[ast.expr]:
    """The arguments that are called where they stand, as in `tl.map(f, x)` and `tl.grad(f)(x)`."""
    if isinstance(call.func, ast.Attribute) and call.func.attr in AT_ONCE:
        return call.args
    is_applied = isinstance(call.func, ast.Call) and isinstance(call.func.func, ast.Attribute)
    return call.func.args if is_applied else []


def _reads(node: ast.AST) -> frozenset[str]:
    names: set[str] = set()
    for each in scoping.own_nodes([node]):
        if isinstance(each, ast.Lambda):
            names |= scoping.free_names(each)
        elif isinstance(each, ast.Name) and (isinstance(each.ctx, ast.Load) or _is_update(node, each)):
            names.add(each.id)
    return frozenset(names)


def _is_update(statement: ast.AST, name: ast.Name) -> bool:
    return isinstance(statement, ast.AugAssign) and statement.target is name


def _targets(target: ast.expr) -> frozenset[str]:
    """The names a target replaces completely."""
    if isinstance(target, ast.Name):
        return frozenset({target.id})
    if isinstance(target, (ast.Tuple, ast.List)):
        return frozenset().union(*(_targets(each) for each in target.elts))
    return frozenset()


def _target_reads(target: ast.expr) -> frozenset[str]:
    return frozenset(
        node.id for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    )
