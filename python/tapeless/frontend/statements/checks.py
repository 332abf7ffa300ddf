"""`assert` and `raise`: run-time checks with the text of the program.

They stay with `checks="off"`: what follows an assertion relies on it, for sizes too.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless.frontend.values import integers
from tapeless.frontend.values.frame import RAISED
from tapeless.frontend.values.value import Scalar, literal

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

# What of our errors Python's are: each is also of the class that the program names.
KINDS: dict[type[BaseException], str] = {
    AssertionError: "CheckFailed",
    ValueError: "ArgumentError",
    IndexError: "IndexOutOfRange",
    TypeError: "TypeMismatch",
}
_NAMES = ", ".join(kind.__name__ for kind in KINDS)


def asserted(t: Translator, statement: ast.Assert) -> None:
    """`assert condition, "text"`; later statements may rely on the condition."""
    test = t.evaluate(statement.test)
    holds = t.truth(test)
    text = f"assertion failed: {ast.unparse(statement.test)}"
    if statement.msg is not None:
        text = _text(t, statement.msg)
    if holds is True:
        return
    condition = t.builder.constant(False, t.builder.types.i1) if holds is False else holds
    t.builder.check(condition, KINDS[AssertionError], _checked(t, text))
    if isinstance(test, Scalar):
        for each in test.implies:
            integers.assume(t.builder, each)


def raised(t: Translator, statement: ast.Raise) -> None:
    """`raise ValueError("text")`, where control comes to it."""
    call = statement.exc
    name = call.func if isinstance(call, ast.Call) else call
    kind = _kind(t, name)
    given = call.args if isinstance(call, ast.Call) else []
    if statement.cause is not None or len(given) > 1 or (isinstance(call, ast.Call) and call.keywords):
        raise t.error("only a text can be raised", 'write raise ValueError("text")')
    text = _text(t, given[0]) if given else kind.__name__
    t.builder.check(t.builder.constant(False, t.builder.types.i1), KINDS[kind], _checked(t, text))
    t.frame.names[RAISED] = literal(True)


def _kind(t: Translator, name: ast.expr | None) -> type[BaseException]:
    kind = None
    if isinstance(name, ast.Name) and t.frame.find(name.id) is None:
        kind = t.frame.source.captured.get(name.id)
    if kind not in KINDS:
        raise t.error("this cannot be raised", f"raise one of {_NAMES}")
    return kind


def _text(t: Translator, node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise t.error("the text of a check is not a string", "write the text out in quotes")


def _checked(t: Translator, text: str) -> str:
    if "{" in text or "}" in text:
        raise t.error("the text of a check has braces, which stand for values", "leave the braces out")
    return text
