"""A loop with an exit condition: the values that decide when it ends, and the flag that a `break` is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.graph.contents import symbols
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.solve.counted import dependences


@dataclass(frozen=True)
class Loop:
    """A loop with its first values, and its condition and next values as expressions of the values."""

    graph: Graph
    inits: Sequence[Node]
    values: Sequence[Node]
    condition: Node
    following: Sequence[Node]

    def needed(self, following: Sequence[Node], places: Iterable[int]) -> set[int]:
        """The values that some are made of, by one list of next values or several after each other."""
        count = len(self.values)
        needs = dependences(self.values, following[:count])
        more = dependences(self.values, following[count:]) if len(following) > count else needs
        places = set(places)
        return places.union(*(needs[place] | more[place] for place in places))

    def deciding(self, condition: Node, following: Sequence[Node]) -> list[int]:
        """The values that a condition depends on."""
        places = [place for place, value in enumerate(self.values) if value in symbols([condition])]
        needs = dependences(self.values, following)
        return sorted(set(places).union(*(needs[place] for place in places)))

    def flag(self) -> int | None:
        """The carried flag that starts as false and ends the loop once it is set."""
        for place, value in enumerate(self.values):
            starts_false = self.inits[place].kind == "constant" and not self.inits[place].constant
            ends = any(
                each.kind == "logic" and each.name == "not" and each.args[0] is value
                for each in conjuncts(self.condition)
            )
            if value.type == "i1" and starts_false and ends:
                return place
        return None


def conjuncts(condition: Node) -> list[Node]:
    """The conjuncts of a condition."""
    if condition.kind == "logic" and condition.name == "and":
        return [each for arg in condition.args for each in conjuncts(arg)]
    return [condition]
