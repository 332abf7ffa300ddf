"""Floats: moderate by construction, so that loops do not blow them up."""

from __future__ import annotations

from fuzz.writing import Stuck
from reversible.generator.draft import Draft
from reversible.generator.expressions.integers import condition, integer
from reversible.generator.expressions.places import element

FUNCTIONS = ("sin", "cos", "tanh", "atan", "sigmoid", "softplus", "erf")
EXACT_FUNCTIONS = ("tl.abs({})", "tl.maximum({}, 0.21)", "tl.minimum({}, {})", "tl.clamp({}, -0.9, 1.1)")


def scalar(d: Draft, depth: int = 2) -> str:
    """A float expression."""
    if depth <= 0 or d.chance(0.15):
        return d.first_that_works(ATOMS)
    return d.first_that_works(INNER, depth)


def term(d: Draft, depth: int = 2) -> str:
    """A float that is small enough to be accumulated many times."""
    return f"{d.rng.choice(('0.3', '0.25', '-0.4', '0.125'))} * {scalar(d, depth)}"


def _cell(d: Draft) -> str:
    cell = d.pick(d.readable("f64"))
    d.read(cell.name)
    return element(d, cell).text


def _temporary(d: Draft) -> str:
    found = [each for each in d.temporaries if not each.reads & d.hidden]
    chosen = d.pick(found)
    d.read(*chosen.reads)
    if not chosen.shape:
        return chosen.name
    return f"{chosen.name}[{', '.join(str(d.rng.randrange(d.sizes[axis])) for axis in chosen.shape)}]"


def _number(d: Draft) -> str:
    return d.number()


def _integer(d: Draft) -> str:
    return f"0.1 * {integer(d, 0)}"


def _binary(d: Draft, depth: int) -> str:
    return f"({scalar(d, depth - 1)} {d.rng.choice('+-*')} {scalar(d, depth - 1)})"


def _quotient(d: Draft, depth: int) -> str:
    divisor = scalar(d, depth - 1)
    return f"({scalar(d, depth - 1)} / (1.5 + {divisor} * {divisor}))"


def _root(d: Draft, depth: int) -> str:
    inner = scalar(d, depth - 1)
    return f"tl.sqrt(1.0 + {inner} * {inner})"


def _function(d: Draft, depth: int) -> str:
    return f"tl.{d.rng.choice(FUNCTIONS)}({scalar(d, depth - 1)})"


def _power(d: Draft, depth: int) -> str:
    return f"({scalar(d, depth - 1)}) ** {d.rng.choice('23')}"


def _exact_function(d: Draft, depth: int) -> str:
    text = d.rng.choice(EXACT_FUNCTIONS)
    return text.format(*(scalar(d, depth - 1) for _ in range(text.count("{}"))))


def _choice(d: Draft, depth: int) -> str:
    return f"({scalar(d, depth - 1)} if {condition(d, 0)} else {scalar(d, depth - 1)})"


def _reduction(d: Draft, depth: int) -> str:
    """An array as one number."""
    cell = d.pick([each for each in d.readable("f64") if each.shape])
    d.read(cell.name)
    if len(cell.shape) == 1 and d.chance(0.4):
        other = d.pick(d.readable("f64", cell.shape))
        d.read(other.name)
        return f"0.2 * tl.dot({cell.name}, {other.name})"
    return d.rng.choice((f"0.2 * tl.sum({cell.name})", f"tl.max({cell.name})", f"tl.mean({cell.name} * {cell.name})"))


def _call(d: Draft, depth: int) -> str:
    if not d.functions:
        raise Stuck
    return f"{d.pick(d.functions)}({scalar(d, depth - 1)}, {scalar(d, depth - 1)})"


def _mapped(d: Draft, depth: int) -> str:
    cell = d.pick([each for each in d.readable("f64") if len(each.shape) == 1])
    d.read(cell.name)
    with_outer = scalar(d, 0)
    return f"0.2 * tl.sum(tl.map(lambda e: e * {with_outer} + {d.number()}, {cell.name}))"


ATOMS = {_cell: 8, _temporary: 4, _number: 1, _integer: 1}
INNER = {
    _binary: 8,
    _quotient: 2,
    _root: 2,
    _function: 4,
    _power: 1,
    _exact_function: 2,
    _choice: 1,
    _reduction: 2,
    _call: 2,
    _mapped: 1,
}
