"""Loops that every step of a loop around would do alike, in arms of branches whose condition no step changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.graph.branches import HARMFUL, is_harmless, is_lazy
from tapeless.passes.phi.graph.contents import bodies_of, dependent, inside
from tapeless.passes.phi.graph.loops.array_terms import is_array
from tapeless.passes.phi.graph.loops.ranges import REDUCTIONS
from tapeless.passes.phi.graph.nodes import Body, Node


@dataclass(frozen=True)
class Arm:
    """The arm of all branches of a condition that is taken where it holds, or where it does not."""

    condition: Node
    holds: bool

    def of(self, merge: Node) -> Node | None:
        """The arm of a branch under the condition of an arm, if it is the same."""
        if not is_lazy(merge) or merge.args[0] is not self.condition:
            return None
        return merge.args[1 if self.holds else 2]


@lru_cache(maxsize=4096)
def repeated_in_arms(bodies: tuple[Body, ...]) -> dict[Node, Arm]:
    """Numbers with loops in them that the body of a loop needs in one arm alone, and that no step changes."""
    if len(bodies) != 1:
        return {}
    (body,) = bodies
    varying = dependent(body.results, body.parameters)
    merges = [each for each in in_every_step(body) if is_lazy(each) and each in varying]
    conditions = dict.fromkeys(each.args[0] for each in merges if each.args[0].kind != "constant")
    found: dict[Node, Arm] = {}
    for condition in conditions:
        if condition not in varying and is_harmless(condition):
            for arm in (Arm(condition, True), Arm(condition, False)):
                elsewhere = _needed_outside(body, arm)
                found |= {each: arm for each in _repeated(body, merges, arm, varying) if each not in elsewhere}
    return found


def in_every_step(body: Body) -> set[Node]:
    """The nodes of a body without those that only arms of branches need."""
    return _reached(body, lambda node: node.args[:1] if is_lazy(node) else node.args)


def _repeated(body: Body, merges: Sequence[Node], arm: Arm, varying: set[Node]) -> Iterator[Node]:
    """The largest numbers in an arm that have loops and that no step changes."""
    left: list[tuple[Node, Node | None]] = [(each, None) for merge in merges if (each := arm.of(merge)) is not None]
    seen: set[tuple[Node, Node | None]] = set()
    while left:
        node, limit = left.pop()
        if (node, limit) in seen:
            continue
        seen.add((node, limit))
        if node not in varying and not is_array(node.type) and any(each.kind == "loop" for each in inside([node])):
            if limit is None or _reads_up_to(limit, node):
                yield node
        elif not is_lazy(node):
            left.extend((arg, limit) for arg in node.args)
        elif limit is None and (new := _limit(body, node)) is not None:
            left.append((node.args[1], new))


def _limit(body: Body, merge: Node) -> Node | None:
    """The upper bound on the index of a step for the first arm of a branch."""
    condition = merge.args[0]
    is_limited = condition.kind == "compare" and condition.data == ("lt",) and condition.args[0] in body.parameters
    return condition.args[1] if is_limited else None


def _reads_up_to(limit: Node, node: Node) -> bool:
    """Whether sums over indices below a limit are all that may do harm: where no step is below it, they are empty."""
    for each in inside([node]):
        if each.kind == "loop" and not all(is_harmless(root) for inner in bodies_of(each) for root in inner.results):
            low = each.args[0]
            if each.name not in REDUCTIONS or low.kind != "constant" or low.constant != 0 or each.args[1] is not limit:
                return False
        elif each.kind in HARMFUL:
            return False
    return True


def _needed_outside(body: Body, arm: Arm) -> set[Node]:
    """The nodes that a body needs, in any of its inner bodies, too, without those that only an arm does."""

    def needed(node: Node) -> Iterator[Node]:
        yield from (arg for arg in node.args if arg is not arm.of(node))
        yield from (each for inner in bodies_of(node) for each in inner.results)

    return _reached(body, needed)


def _reached(body: Body, needed: Callable[[Node], Iterable[Node]]) -> set[Node]:
    """The transitive closure of the results of a body under the needs of each node."""
    found: set[Node] = set()
    left = list(body.results)
    while left:
        node = left.pop()
        if node not in found:
            found.add(node)
            left.extend(needed(node))
    return found
