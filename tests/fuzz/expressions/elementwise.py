"""Arithmetic, scalar functions and choices, element by element."""

from __future__ import annotations

from fuzz.draft import Draft
from fuzz.expressions import write
from fuzz.types import Type
from fuzz.writing import Stuck

UNARY = (
    "tl.sin({})",
    "tl.cos({})",
    "tl.tanh({})",
    "tl.sigmoid({})",
    "tl.atan({})",
    "tl.erf({})",
    "tl.softplus({})",
    "(-{})",
    "({} * 0.7)",
    "({} ** 2)",
    "tl.abs({})",
    "tl.log1p(tl.abs({}))",
    "tl.sqrt(1.5 + tl.abs({}))",
    "tl.exp(0.3 * tl.sin({}))",
    "tl.hypot({}, 1.2)",
    "tl.clamp({}, -0.9, 1.1)",
    "tl.floor({} * 3.7 + 0.123)",
)
BINARY = (
    "({} + {})",
    "({} - {})",
    "({} * {})",
    "({} * {})",
    "({} / (2.5 + tl.abs({})))",
    "tl.maximum({}, {})",
    "tl.minimum({}, {})",
    "tl.atan2({}, 2.5 + tl.abs({}))",
    "tl.fma({}, 0.5, {})",
)
JUMPS = ("tl.floor({} * 3.7 + 0.123)",)


def unary(d: Draft, wanted: Type, depth: int) -> str:
    """A function of one argument; jumps are too easily missed in single precision."""
    form = d.pick(UNARY)
    if wanted.dtype == "f32" and form in JUMPS:
        raise Stuck
    return form.format(write.expression(d, wanted, depth - 1))


def binary(d: Draft, wanted: Type, depth: int) -> str:
    """One side has the wanted shape; the other may be a scalar or a row."""
    left = write.expression(d, wanted, depth - 1)
    right = write.expression(d, _broadcastable(d, wanted), depth - 1)
    if d.chance(0.7):
        return d.pick(BINARY).format(left, right)
    return f"({right} {d.pick('+-*')} {left})"


def _broadcastable(d: Draft, wanted: Type) -> Type:
    return wanted.shaped(*wanted.sizes[d.rng.randint(0, wanted.rank) :]) if d.chance(0.4) else wanted


def ternary(d: Draft, wanted: Type, depth: int) -> str:
    condition, left, right = (write.expression(d, wanted, depth - 1) for _ in range(3))
    return f"tl.where({condition} > {d.rng.choice((0.1234, -0.321, 0.0177))}, {left}, {right})"


def broadcast(d: Draft, wanted: Type, depth: int) -> str:
    """A column against the whole, `x[:, None] * y`."""
    if wanted.rank < 2:
        raise Stuck
    column = write.expression(d, wanted.shaped(*wanted.sizes[:-1]), depth - 1)
    places = ", ".join([":"] * (wanted.rank - 1) + ["None"])
    other = write.expression(d, wanted, depth - 1)
    return (
        f"({column}[{places}] {d.pick('+-*')} {other})"
        if d.chance(0.5)
        else f"({other} {d.pick('+-*')} {column}[{places}])"
    )
