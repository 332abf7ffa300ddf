"""Functions that call themselves: as deep as is known when compiling, by translating each call in its place.

A call goes one deeper when an argument that is known now (a number, a function, the sizes of an array) is another one
than in all calls of the function that are under way; the condition that ends the recursion is then known, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tapeless.frontend.values.value import FUNCTIONS, Array, Closure, Opaque, Scalar, Tuple, Value, type_of

if TYPE_CHECKING:
    from tapeless.errors import TapelessError
    from tapeless.frontend.translator import Translator

MOST_DEEP = 100
MOST_CALLS = 2000
WAY_OUT = (
    "write a loop, or make the depth known: by a number, as in tl.function(lambda x: f(x, 5)), "
    "or by sizes in types, as in x: tl.f64[8]"
)


def known(value: Value) -> object:
    """The part of an argument that is known when compiling."""
    if isinstance(value, Scalar):
        return value.literal
    if isinstance(value, Array):
        return type_of(value)
    if isinstance(value, Tuple):
        return tuple(map(known, value.items))
    if isinstance(value, Closure):
        return value.node, value.frame
    if isinstance(value, Opaque):
        return id(value.value)
    return value if isinstance(value, FUNCTIONS) else None


def activation(parent: object, bound: Mapping[str, Value]) -> tuple[object, ...]:
    """The key that tells a call of a function from others that are under way."""
    return (parent, *map(known, bound.values()))


def refusal(t: Translator, name: str) -> TapelessError:
    return t.error(f"'{name}' calls itself, and how deep is known only when running", WAY_OUT)


def check_depth(t: Translator, name: str, depth: int) -> None:
    """Refuses recursions that do not end, and those with so many calls that compiling them would not."""
    if depth >= MOST_DEEP:
        raise t.error(f"'{name}' calls itself more than {MOST_DEEP} deep", "end the recursion earlier, or write a loop")
    if depth:
        t.session.recursive_calls += 1
    if t.session.recursive_calls > MOST_CALLS:
        raise t.error(f"'{name}' calls itself more than {MOST_CALLS} times in all", "write a loop")
