"""Python's operators on lists and tuples: `+` joins them, `*` repeats them, and nothing computes with them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless.errors import TypeMismatch
from tapeless.frontend.values.value import Array, Pending, Scalar, Tuple, Value, describe
from tapeless.trees import LIST_NODE, TUPLE_NODE

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def combined(t: Translator, operator: ast.operator, left: Value, right: Value) -> Tuple | None:
    """The sequence that `left op right` is; None if it is no sequence, as beside an array, where lists are arrays."""
    both = left, right
    if not any(isinstance(each, Tuple) for each in both) or any(isinstance(each, (Array, Pending)) for each in both):
        return None
    if isinstance(operator, ast.Add) and isinstance(left, Tuple) and isinstance(right, Tuple):
        if left.is_list != right.is_list:
            raise t.error("a list and a tuple are joined", "make both lists, or both tuples", TypeMismatch)
        return Tuple((*left.items, *right.items), LIST_NODE if left.is_list else TUPLE_NODE)
    sequence, count = both if isinstance(left, Tuple) else (right, left)
    if isinstance(operator, ast.Mult) and isinstance(count, Scalar) and count.dtype.is_int:
        times = t.constant(count, f"how often a {sequence.node.kind} is repeated")
        return Tuple(sequence.items * times, LIST_NODE if sequence.is_list else TUPLE_NODE)
    role = "the left operand" if sequence is left else "the right operand"
    raise t.error(f"{role} is {describe(sequence)}", "make it an array with np.array(...)", TypeMismatch)
