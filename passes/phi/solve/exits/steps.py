"""The trip count of a loop and how it ends, from a loop of just the values its condition needs."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.passes.phi.graph.branches import connect, gamma, truth
from tapeless.passes.phi.graph.contents import is_free_of
from tapeless.passes.phi.graph.elementary import cast, function
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.recurrences import INDEX, run_while
from tapeless.passes.phi.graph.nodes import FLOATS, Node
from tapeless.passes.phi.graph.numbers import ONE
from tapeless.passes.phi.graph.sums import linear, subtract
from tapeless.passes.phi.graph.walk import bind, substitute
from tapeless.passes.phi.solve.closed_forms.loops_of_one import Recurrence, solution
from tapeless.passes.phi.solve.exits.exit_loops import Loop, conjuncts
from tapeless.passes.phi.solve.exits.quick import Run, quick_run

SETTLED = "loops that say when others end"


def is_settled(g: Graph, loop: Node) -> bool:
    """Whether a loop was made to say when another one ends: it is to stay as it is."""
    return loop in g.memory.get(SETTLED, {})


def _settle(g: Graph, *steps: Node) -> None:
    for each in steps:
        if each.kind == "part":
            g.memory.setdefault(SETTLED, {})[each.args[0]] = True


def how_it_ends(loop: Loop, flag: int | None, *, is_trusting: bool) -> tuple[Node, Node | None]:
    """How many steps are done and whether the flag is set then.

    Where sums can be taken outside of the loop, that loop does no more than so many steps as it is sure of: if
    rounding could turn a decision, the loop as it was decides. If it `is_trusting`, decisions are not doubted.
    """
    known = _known_steps(loop) if flag is None else None
    if known is not None:
        return known, None
    plain = Run(loop.condition, loop.following)
    quick = quick_run(loop, is_trusting=is_trusting) if _has_limit(loop) else None
    if quick is None:
        return _result(loop, plain, flag)[:2]
    steps, broken, is_sure = _result(loop, quick, flag)
    if is_sure is None:
        return steps, broken
    exactly = _result(loop, plain, flag)
    _settle(loop.graph, steps, exactly[0])
    found = [
        None if one is None or other is None else gamma(loop.graph, is_sure, one, other, lazy=True)
        for one, other in zip((steps, broken), exactly[:2], strict=True)
    ]
    assert found[0] is not None
    return found[0], found[1]


def _has_limit(loop: Loop) -> bool:
    """Whether the number of steps is bounded: near a root a sum of residuals is more exact than one of sums."""
    return any(
        not arg.is_float and arg.type != "i1"
        for each in conjuncts(loop.condition)
        if each.kind == "compare"
        for arg in each.args
    )


def _result(loop: Loop, run: Run, flag: int | None) -> tuple[Node, Node | None, Node | None]:
    """The number of steps, the flag at the end, and whether the loop was sure of itself."""
    g = loop.graph
    kept = loop.deciding(run.condition, run.following)
    values, inits = [loop.values[place] for place in kept], [loop.inits[place] for place in kept]
    condition, following = run.condition, _while_going(loop, run.following, kept, flag)
    if run.is_sure is None:
        finals, steps = run_while(g, inits, bind(g, values, [condition]), bind(g, values, following))
        return steps, None if flag is None else finals[kept.index(flag)], None
    sure = g.fresh("i1")
    before, within = run.is_sure
    names, nexts = [each for each, _ in run.more], [each for _, each in run.more]
    carried = [*values, *names, sure]
    goes_on = bind(g, carried, [connect(g, "and", condition, sure)])
    body = bind(g, carried, [*following, *nexts, connect(g, "and", before, within)])
    zeros = [g.constant(0, each.type) for each in names]
    finals, steps = run_while(g, [*inits, *zeros, truth(g, True)], goes_on, body)
    at_the_end = substitute(g, [before], dict(zip([*values, *names], finals[:-1], strict=True)))[0]
    broken = None if flag is None else finals[kept.index(flag)]
    if broken is not None:
        at_the_end = connect(g, "or", broken, at_the_end)
    return steps, broken, connect(g, "and", finals[-1], at_the_end)


def _while_going(loop: Loop, following: Sequence[Node], kept: Sequence[int], flag: int | None) -> list[Node]:
    """The next values as they are where the flag is not set: those of the step that sets it are never read."""
    if flag is None:
        return [following[place] for place in kept]
    set_ = following[flag]
    going = substitute(loop.graph, following, {set_: truth(loop.graph, False)})
    return [set_ if place == flag else going[place] for place in kept]


def _known_steps(loop: Loop) -> Node | None:
    """The number of steps of a loop that counts up by one to a limit."""
    g, test = loop.graph, loop.condition
    if test.kind != "compare" or test.name not in ("lt", "le") or test.args[0] not in loop.values:
        return None
    counter, limit = test.args
    place = list(loop.values).index(counter)
    if counter.type in (*FLOATS, "i1") or not is_free_of(limit, loop.values):
        return None
    step = g.fresh(INDEX)
    found = solution(g, Recurrence(step, counter, loop.inits[place], loop.following[place]))
    one_more = linear(g, [(ONE, counter)], ONE, counter.type)
    if found is None or loop.following[place] is not one_more:
        return None
    many = subtract(g, limit, loop.inits[place])
    if test.name == "le":
        many = linear(g, [(ONE, many)], ONE, many.type)
    return cast(g, function(g, "max", many, g.constant(0, many.type)), INDEX)
