"""Iterables of `for` loops: ranges, arrays, tuples, and `enumerate`, `zip` and `reversed` of these."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from typing import TYPE_CHECKING

from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import TypeMismatch
from tapeless.frontend.control import ranges
from tapeless.frontend.control.hints import Hints, range_call
from tapeless.frontend.control.ranges import Range
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.structures import entries
from tapeless.frontend.values import bounds
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Pending, Record, Rows, Tuple, Value, describe, integer, literal
from tapeless.trees import DICT

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

NO_HINTS = Hints()
MOST_UNROLLED = 64
"""How many values of a tuple a loop runs over: its body is translated once for each."""


@dataclass(frozen=True)
class Iteration:
    """A counted loop, or the values of a loop that is unrolled."""

    range: Range | None = None
    items: tuple[Value, ...] = ()
    hints: Hints = NO_HINTS

    def count(self, t: Translator) -> Affine:
        return Affine(len(self.items)) if self.range is None else self.range.count(t)

    def at(self, position: Affine) -> Value:
        """The value of an iteration, counted from 0."""
        if self.range is None:
            return self.items[position.constant]
        return self.range.variable(self.range.lower + position.times(self.range.step))


def iteration(t: Translator, node: ast.expr) -> Iteration:
    """The iterable of the expression after `in`."""
    made = _made_by_builtin(t, node)
    if made is not None:
        with t.at(node):
            return made(t, node)
    call = range_call(t, node)
    if call is not None:
        return Iteration(ranges.over_bounds(t, call), hints=call.hints)
    value = t.evaluate(node)
    if isinstance(value, Tuple):
        return _unrolled(t, value.items)
    if isinstance(value, Record) and value.node.kind == DICT:
        return _unrolled(t, tuple(map(entries.key_value, value.node.keys)))
    if isinstance(value, Rows):
        return Iteration(ranges.over_array(t, value.array))
    if isinstance(value, (Array, Pending)):
        return Iteration(ranges.over_array(t, t.array(value)))
    raise t.error(
        f"a loop cannot run over {describe(value)}",
        "loop over range(...), tl.range(...), an array, a tuple, a list or a dict",
        TypeMismatch,
    )


def _unrolled(t: Translator, items: tuple[Value, ...]) -> Iteration:
    if len(items) > MOST_UNROLLED:
        raise t.error(
            f"a loop over a tuple of {len(items)}, which is translated once for each of at most {MOST_UNROLLED} values",
            "make it an array",
        )
    return Iteration(items=tuple(t.held(item) for item in items))


def _made_by_builtin(t: Translator, node: ast.expr) -> Callable[[Translator, ast.Call], Iteration] | None:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or t.frame.find(node.func.id) is not None:
        return None
    try:
        return _BUILTINS.get(t.frame.source.lookup(node.func.id))
    except (KeyError, TypeError):
        return None


def _enumerated(t: Translator, node: ast.Call) -> Iteration:
    """`enumerate(x, start=0)`."""
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    if not 1 <= len(node.args) <= 2 or set(named) - {"start"} or (named and len(node.args) == 2):
        raise t.error("enumerate takes what is counted and a start", "write enumerate(x) or enumerate(x, start)")
    given = [*node.args[1:], *named.values()]
    start = t.integer(t.evaluate(given[0]), "the start of enumerate") if given else literal(0)
    first = ranges.as_affine(t, start)
    inner = iteration(t, node.args[0])
    if inner.range is None:
        pairs = enumerate(inner.items)
        return Iteration(items=tuple(Tuple((integer(first + position), item)) for position, item in pairs))
    return _counted(inner.count(t), lambda k: Tuple((integer(first + k), inner.at(k))), inner.hints)


def _zipped(t: Translator, node: ast.Call) -> Iteration:
    """`zip(x, y, ...)`: as long as the shortest, or all of one length with `strict=True`."""
    is_strict = _strict(t, node)
    inner = [iteration(t, each) for each in node.args]
    if not inner:
        return Iteration()
    count = inner[0].count(t)
    for each in inner[1:]:
        other = each.count(t)
        count = broadcasting.same_size(t, count, other, 0) if is_strict else _shorter(t, count, other)
    if all(each.range is not None for each in inner):
        return _counted(count, lambda k: Tuple(tuple(each.at(k) for each in inner)), NO_HINTS)
    if not count.is_constant:
        raise t.error(
            "a tuple is zipped with what has a length known only when running",
            "make the tuple an array, or zip with x[:n] of known length",
        )
    rows = [Tuple(tuple(each.at(Affine(k)) for each in inner)) for k in range(count.constant)]
    return _unrolled(t, tuple(rows))


def _strict(t: Translator, node: ast.Call) -> bool:
    if any(keyword.arg != "strict" for keyword in node.keywords):
        raise t.error("zip has no keyword but strict", "write zip(x, y) or zip(x, y, strict=True)")
    return any(t.flag(t.evaluate(keyword.value), "strict") for keyword in node.keywords)


def _shorter(t: Translator, left: Affine, right: Affine) -> Affine:
    if left.is_constant and right.is_constant:
        return Affine(min(left.constant, right.constant))
    return bounds.minimum(t.builder, left, right)


def _reversed(t: Translator, node: ast.Call) -> Iteration:
    """`reversed(x)` of a range, an array or a tuple."""
    if len(node.args) != 1 or node.keywords:
        raise t.error("reversed takes one argument", "write reversed(x)")
    argument = node.args[0]
    if _made_by_builtin(t, argument) is not None:
        raise t.error(
            f"{ast.unparse(argument.func)}(...) cannot be reversed, as in Python", "reverse what it is made of"
        )
    inner = iteration(t, argument)
    if inner.range is None:
        return Iteration(items=inner.items[::-1])
    count = inner.count(t)
    return _counted(count, lambda k: inner.at(count - 1 - k), inner.hints)


def _counted(count: Affine, variable: Callable[[Affine], Value], hints: Hints) -> Iteration:
    return Iteration(Range(Affine(0), count, 1, variable), hints=hints)


_BUILTINS = {builtins.enumerate: _enumerated, builtins.zip: _zipped, builtins.reversed: _reversed}
