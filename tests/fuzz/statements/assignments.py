"""Names that get values: new ones, old ones, several at once."""

from __future__ import annotations

from fuzz.draft import Draft
from fuzz.expressions import expression
from fuzz.expressions.operators import FINITE, INCLUSIVE, ORDERS, SEVERAL
from fuzz.expressions.operators import tamed as long_tamed
from fuzz.scope import Variable
from fuzz.types import BOOL, Type, floats, integers

DEPTH = 3


def tamed(d: Draft, type_: Type, text: str) -> str:
    """The expression kept moderate, more often than not."""
    if not type_.is_float or d.chance(0.3):
        return text
    return d.pick(("tl.sin({})", "tl.tanh({})", "0.5 * {}", "({} - 0.25)")).format(text)


def some_type(d: Draft) -> Type:
    """A type of the kind in scope, or a new shape of known sizes."""
    if d.chance(0.12):
        size = d.size(0)
        return d.pick((BOOL, integers(bound=size), integers(), integers(size, bound=size), Type("bool_", (size,))))
    if d.chance(0.5):
        return d.pick([each.type for each in d.scope.variables if each.type.is_float])
    rank = d.weighted({0: 3, 1: 5, 2: 3, 3: 1})
    sizes = [d.constant_size(d.rng.randint(2, 3)) if d.chance(0.15) else d.size() for _ in range(rank)]
    return floats(*sizes)


def stem(type_: Type) -> str:
    return "svmc"[type_.rank] if type_.is_float else type_.dtype[0]


def new(d: Draft) -> None:
    type_ = some_type(d)
    d.assign_new(stem(type_), type_, tamed(d, type_, expression(d, type_, DEPTH)))


def again(d: Draft) -> None:
    """A new value of the same type for an old name; where a map may give it, its size is visibly the same."""
    variable = d.pick(d.scope.writable(lambda type_: True))
    kept = f"{variable.name} * 0.5 + " if d.is_nested and variable.type.is_float else ""
    d.add(f"{variable.name} = {kept}{tamed(d, variable.type, expression(d, variable.type, DEPTH))}")


def updated(d: Draft) -> None:
    variable = d.pick(d.scope.writable(lambda type_: type_.is_float))
    d.add(f"{variable.name} {d.pick('+-*')}= {tamed(d, variable.type, expression(d, variable.type, DEPTH))}")


def of_tuple(d: Draft) -> None:
    """Names for the components of a scan or a reduction; not all of them need be used."""
    op, neutral, count = d.pick(SEVERAL)
    size, kind = d.size(), d.pick(("scan", "reduce"))
    factor = "0.5 * " if count > 2 else ""
    arrays = ", ".join(long_tamed(floats(size), expression(d, floats(size), 1), factor) for _ in range(count))
    order = d.pick(INCLUSIVE if op in FINITE else ORDERS) if kind == "scan" else ""
    type_ = floats(size) if kind == "scan" else floats()
    variables = [Variable(d.fresh(stem(type_)), type_) for _ in range(count)]
    d.add(f"{', '.join(each.name for each in variables)} = tl.{kind}({op}, {neutral}, {arrays}{order})")
    d.scope.variables += variables[:: d.rng.choice((1, -1, 2))]
