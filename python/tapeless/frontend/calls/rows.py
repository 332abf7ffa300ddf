"""Lists of a length that is known when running as arguments of operators, which take them as numpy takes lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tapeless import lang
from tapeless.errors import TypeMismatch
from tapeless.frontend.values.value import Rows, Tuple, Value, literal
from tapeless.lang import Operator

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

_JOINING = ("block", "column_stack", "dstack", "hstack", "vstack")


def as_arguments(
    t: Translator, operator: Operator, arguments: Sequence[Value], keywords: Mapping[str, Value]
) -> tuple[Sequence[Value], Mapping[str, Value]]:
    """Arguments with arrays in place of such lists."""
    if not any(isinstance(each, Rows) for each in (*arguments, *keywords.values())):
        return arguments, keywords
    given = [_argument(t, operator, each) for each in arguments]
    return given, {name: _argument(t, operator, each) for name, each in keywords.items()}


def _argument(t: Translator, operator: Operator, value: Value) -> Value:
    if not isinstance(value, Rows) or operator.__name__ in ("stack", "concat"):
        return value
    if operator.__name__ in _JOINING:
        raise t.error(
            f"{operator!r} of a list whose length is known only when running",
            "write np.array(values), np.stack(values) or np.concatenate(values)",
            TypeMismatch,
        )
    if operator.key == "builtins.sum" and value.array.rank > 1:  # Python adds the items.
        return Tuple((t.call(lang.sum, [value.array], {"axis": literal(0)}),))
    return value.array
