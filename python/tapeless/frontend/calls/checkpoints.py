"""`tl.checkpoint`: functions that reverse differentiation re-executes as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tapeless.errors import TypeMismatch
from tapeless.frontend.control import joins
from tapeless.frontend.structures.attributes import is_function
from tapeless.frontend.values.builder import Scope
from tapeless.frontend.values.value import Checkpointed, Value, describe

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def checkpoint(t: Translator, f: Value) -> Checkpointed:
    """The function, marked."""
    if not is_function(f):
        raise t.error(f"tl.checkpoint takes a function, not {describe(f)}", "write tl.checkpoint(f)(x)", TypeMismatch)
    return Checkpointed(f)


def call(t: Translator, function: Checkpointed, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """The function inside an `ad.checkpoint`."""
    scope = Scope()
    with t.builder.region(scope=scope) as block:
        result = t.held(t.call(function.function, arguments, keywords))
    form = joins.form_of(t.builder, result)
    with t.builder.inside(block, scope):
        t.builder.operation("ad.yield", [], joins.flatten(t, result, form))
    operation = t.builder.operation("ad.checkpoint", joins.types(t.builder, form), [], regions=1)
    t.builder.attach(operation, block)
    return joins.rebuild(t, form, iter(list(operation.results)))
