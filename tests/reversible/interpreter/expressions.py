"""Pure expressions on the values of cells."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from reversible.interpreter.errors import NotUnderstood, Unclear
from reversible.interpreter.functions import ROUNDS_EXACTLY, TYPES, clearly_different, real, table
from reversible.interpreter.scope import Array, Scope, Temporary

SMALLEST_DIVISOR = 1e-3


def divided(a: Any, b: Any) -> Any:
    if np.any(np.abs(real(b)) < SMALLEST_DIVISOR):
        raise Unclear("a divisor is small")
    return np.true_divide(a, b)


BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: divided,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
    ast.BitXor: operator.xor,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
}
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: lambda x: not x,
}
COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
ATTRIBUTES: dict[str, Callable[[Any], Any]] = {"T": np.transpose, "shape": np.shape, "ndim": np.ndim}


class Evaluator:
    """Values of expressions; remembers which parts of cells were read since it was last asked."""

    def __init__(self, noise: float) -> None:
        self.functions, self.noise, self.rng = table(), noise, np.random.default_rng(0)
        self.reads: list[Array] = []

    def value(self, node: ast.expr, scope: Scope) -> Any:
        """A number or an array; arrays may be views of cells."""
        rule = RULES.get(type(node))
        if rule is None:
            raise NotUnderstood(ast.unparse(node))
        return rule(self, node, scope)

    def truth(self, node: ast.expr, scope: Scope) -> bool:
        return bool(self.value(node, scope))

    def shaken(self, value: Any) -> Any:
        """A value with a relative error, where noise is wanted."""
        if not self.noise or np.asarray(value).dtype.kind not in "fc":
            return value
        return value * (1.0 + self.noise * self.rng.uniform(-1.0, 1.0, np.shape(value)))

    def index(self, node: ast.expr, scope: Scope) -> Any:
        """What stands in brackets: integers, slices, or several of them."""
        if isinstance(node, ast.Tuple):
            return tuple(self.index(each, scope) for each in node.elts)
        if isinstance(node, ast.Slice):
            bounds = (node.lower, node.upper, node.step)
            return slice(*(None if each is None else int(self.value(each, scope)) for each in bounds))
        found = self.value(node, scope)
        return found if found is None or np.ndim(found) else int(found)

    def name(self, node: ast.Name, scope: Scope) -> Any:
        found, where = scope.find(node.id)
        if isinstance(found, Temporary):
            return self.value(found.expression, where)
        if isinstance(found, np.ndarray):
            self.reads.append(found)
            return found if found.ndim else found[()]
        return found

    def subscript(self, node: ast.Subscript, scope: Scope) -> Any:
        """Of a cell, only the part counts as read."""
        count = len(self.reads)
        whole = self.value(node.value, scope)
        is_cell = len(self.reads) > count and self.reads[-1] is whole
        if is_cell:
            self.reads.pop()
        index = self.index(node.slice, scope)
        if is_cell and not any(np.ndim(each) for each in (index if isinstance(index, tuple) else (index,))):
            view = whole[(*index, ...)] if isinstance(index, tuple) else whole[index, ...]
            self.reads.append(view)
            return view if view.ndim else view[()]
        if is_cell:
            self.reads.append(whole)
        return whole[index]

    def attribute(self, node: ast.Attribute, scope: Scope) -> Any:
        if isinstance(node.value, ast.Name) and node.value.id == "tl" and node.attr in TYPES:
            return TYPES[node.attr]
        count = len(self.reads)
        found = ATTRIBUTES[node.attr](self.value(node.value, scope))
        if node.attr != "T":
            del self.reads[count:]
        return found

    def call(self, node: ast.Call, scope: Scope) -> Any:
        named = {each.arg: self.value(each.value, scope) for each in node.keywords if each.arg}
        if isinstance(node.func, ast.Name) and node.func.id == "len":
            return self._length(node.args[0], scope)
        arguments = [self.value(each, scope) for each in node.args]
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        if name not in self.functions or isinstance(node.func, ast.Name):
            try:
                return scope.find(name)[0](*arguments)
            except NotUnderstood:
                pass
        found = self.functions[name](*arguments, **named)
        return found if name in ROUNDS_EXACTLY else self.shaken(found)

    def _length(self, node: ast.expr, scope: Scope) -> int:
        """Sizes are no values of a cell: asking for one is no read."""
        count = len(self.reads)
        found = len(self.value(node, scope))
        del self.reads[count:]
        return found

    def binary(self, node: ast.BinOp, scope: Scope) -> Any:
        found = BINARY[type(node.op)](self.value(node.left, scope), self.value(node.right, scope))
        return self.shaken(found) if isinstance(node.op, ast.Pow | ast.MatMult) else found

    def unary(self, node: ast.UnaryOp, scope: Scope) -> Any:
        return UNARY[type(node.op)](self.value(node.operand, scope))

    def comparison(self, node: ast.Compare, scope: Scope) -> Any:
        """Order is decided by real parts."""
        values = [real(self.value(each, scope)) for each in (node.left, *node.comparators)]
        outcome: Any = True
        for op, a, b in zip(node.ops, values[:-1], values[1:], strict=True):
            clearly_different(a, b)
            outcome = np.logical_and(outcome, COMPARISONS[type(op)](a, b))
        return outcome if np.ndim(outcome) else bool(outcome)

    def both(self, node: ast.BoolOp, scope: Scope) -> bool:
        every = isinstance(node.op, ast.And)
        return all(self.truth(each, scope) for each in node.values) if every else self._any(node, scope)

    def _any(self, node: ast.BoolOp, scope: Scope) -> bool:
        return any(self.truth(each, scope) for each in node.values)

    def choice(self, node: ast.IfExp, scope: Scope) -> Any:
        return self.value(node.body if self.truth(node.test, scope) else node.orelse, scope)

    def sequence(self, node: ast.Tuple, scope: Scope) -> tuple[Any, ...]:
        return tuple(self.value(each, scope) for each in node.elts)

    def function(self, node: ast.Lambda, scope: Scope) -> Callable[..., Any]:
        names = [each.arg for each in node.args.args]
        return lambda *given: self.value(node.body, scope.inner(**arguments_as_values(names, given)))


def arguments_as_values(names: Sequence[str], given: Sequence[Any]) -> dict[str, Any]:
    """Arguments of pure functions are values: arrays among them are no cells."""
    held = [Held(each) if isinstance(each, np.ndarray) else each for each in given]
    return dict(zip(names, held, strict=True))


class Held:
    """An array that is the value of a name, but no cell."""

    def __init__(self, array: Array) -> None:
        self.array = array


RULES: dict[type[ast.expr], Callable[[Evaluator, Any, Scope], Any]] = {
    ast.Name: lambda self, node, scope: _released(self.name(node, scope)),
    ast.Constant: lambda self, node, scope: node.value,
    ast.Subscript: Evaluator.subscript,
    ast.Attribute: Evaluator.attribute,
    ast.Call: Evaluator.call,
    ast.BinOp: Evaluator.binary,
    ast.UnaryOp: Evaluator.unary,
    ast.Compare: Evaluator.comparison,
    ast.BoolOp: Evaluator.both,
    ast.IfExp: Evaluator.choice,
    ast.Tuple: Evaluator.sequence,
    ast.Lambda: Evaluator.function,
}


def _released(value: Any) -> Any:
    return value.array if isinstance(value, Held) else value
