"""Functions defined inside, which read what is around them."""

from __future__ import annotations

from collections.abc import Callable

from fuzz.draft import Draft
from fuzz.expressions import expression
from fuzz.scope import Variable
from fuzz.statements import write
from fuzz.statements.assignments import stem
from fuzz.types import Type, floats


def function(d: Draft, body: Callable[[Draft], str] | None = None) -> None:
    """A nested function with statements, called once or mapped; a body given gives a scalar to return with others."""
    name, inner = d.fresh("inner"), floats(*([d.size()] if d.chance(0.5) else []))
    parameter = Variable(d.fresh("p"), inner)
    d.add(f"def {name}({parameter.name}):")
    with d.block(parameter, may_leave=False, is_nested=True):
        d.scope.variables = [Variable(each.name, each.type, each is parameter) for each in d.scope.variables]
        added = f" + {body(d)}" if body else write.block(d, 2) or ""
        d.add(f"return {expression(d, inner, 2)}{added}")
    called(d, name, inner)


def called(d: Draft, name: str, inner: Type) -> None:
    if d.chance(0.5):
        d.assign_new(stem(inner), inner, f"{name}({expression(d, inner, 2)})")
        return
    type_ = inner.shaped(d.size(), *inner.sizes)
    d.assign_new(stem(type_), type_, f"tl.map({name}, {expression(d, type_, 2)})")
