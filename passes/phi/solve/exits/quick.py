"""A loop with the reductions of its exit test hoisted, and an error bound that proves every decision unchanged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.graph.contents import inside, symbols
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.sums import add
from tapeless.passes.phi.graph.walk import substitute
from tapeless.passes.phi.solve.exits.doubt import UnknownError, are_sure, error_of, magnitude, off_by
from tapeless.passes.phi.solve.exits.exit_loops import Loop
from tapeless.passes.phi.solve.exits.outside import sums_outside


@dataclass(frozen=True)
class Run:
    """A condition and next values; `is_sure` tells whether the condition, and the next values, decide as they should.

    `more` are further values that are carried from 0 on, with their next values.
    """

    condition: Node
    following: Sequence[Node]
    is_sure: tuple[Node, Node] | None = None
    more: Sequence[tuple[Node, Node]] = ()


def quick_run(loop: Loop, *, is_trusting: bool) -> Run | None:
    """The loop with its reductions hoisted, and the proof that it decides as before; None if there are none to hoist.

    It is not known of every expression how rounding goes through it: such loops stay, too.
    """
    g = loop.graph
    nodes = [loop.condition, *loop.following]
    runs = substitute(g, nodes[:1], dict(zip(loop.values, loop.inits, strict=True)))[0]
    known, errors = sums_outside(g, nodes, loop.values, runs)
    if not known:
        return None
    if is_trusting:
        condition, *following = substitute(g, nodes, known)
        return Run(condition, following)
    errors |= {each: off_by(g, magnitude(g, each)) for each in loop.values if each.is_float}
    try:
        kept = _kept_errors(loop, known, errors)
        errors |= {value: add(g, errors[value], error) for value, (error, _) in kept.items()}
        tests = [are_sure(g, each, errors, loop.values) for each in (nodes[:1], _that_decide(loop))]
    except UnknownError:
        return None
    nexts = [following for _, following in kept.values()]
    condition, before, within, *rest = substitute(g, [nodes[0], *tests, *nexts, *nodes[1:]], known)
    symbols_of_errors = [error for error, _ in kept.values()]
    more = list(zip(symbols_of_errors, rest[: len(nexts)], strict=True))
    return Run(condition, rest[len(nexts) :], (before, within), more)


def _kept_errors(loop: Loop, known: Mapping[Node, Node], errors: Mapping[Node, Node]) -> dict[Node, tuple[Node, Node]]:
    """For a carried sum that is made anew in every step, its error as a carried value: a symbol and its next."""
    g = loop.graph
    kept = {}
    for place in loop.deciding(loop.condition, loop.following):
        value, following = loop.values[place], loop.following[place]
        is_made_anew = value not in symbols([following])
        if value.is_float and is_made_anew and any(node in known for node in inside([following])):
            kept[value] = g.fresh(value.type), error_of(g, following, errors, loop.values)
    return kept


def _that_decide(loop: Loop) -> list[Node]:
    """The next values of the variables that the condition depends on."""
    return [loop.following[place] for place in loop.deciding(loop.condition, loop.following)]
