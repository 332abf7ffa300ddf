"""Maps over elements and rows, nested, with arrays that their bodies read freely."""

from __future__ import annotations

from fuzz.draft import Draft
from fuzz.expressions import write
from fuzz.scope import Variable
from fuzz.sizes import Size
from fuzz.types import Type, integers


def mapped(d: Draft, wanted: Type, depth: int) -> str:
    names, arrays, variables = inputs(d, wanted.sizes[0], depth)
    with d.lambda_of(*variables):
        body = write.expression(d, wanted.shaped(*wanted.sizes[1:]), depth - 1)
    return f"tl.map(lambda {names}: {body}, {arrays})"


def mapped_tuple(d: Draft, wanted: Type, depth: int) -> str:
    """A map with two results, of which one is used."""
    names, arrays, variables = inputs(d, wanted.sizes[0], depth)
    with d.lambda_of(*variables):
        bodies = [
            write.expression(d, wanted.shaped(*wanted.sizes[1:]), depth - 1),
            write.expression(d, wanted.shaped(), 1),
        ]
    chosen = d.rng.randint(0, 1)
    ordered = bodies if chosen == 0 else bodies[::-1]
    return f"tl.map(lambda {names}: ({ordered[0]}, {ordered[1]}), {arrays})[{chosen}]"


def inputs(d: Draft, size: Size, depth: int) -> tuple[str, str, list[Variable]]:
    """What a map runs over: the names its function gives them, the arrays, and the names as variables."""
    arrays, variables = [], []
    for _ in range(d.weighted({1: 5, 2: 3, 3: 1})):
        type_ = _input_type(d, size)
        arrays.append(write.expression(d, type_, depth - 1))
        variables.append(Variable(d.fresh("e"), Type(type_.dtype, type_.sizes[1:], type_.bound), is_writable=False))
    return ", ".join(variable.name for variable in variables), ", ".join(arrays), variables


def _input_type(d: Draft, size: Size) -> Type:
    found = d.scope.like(lambda variable: variable.type.rank > 0 and variable.type.sizes[0] == size)
    if found and d.chance(0.8):
        return d.pick(found).type
    return integers(size, bound=size) if d.chance(0.3) else Type("f64", (size,))
