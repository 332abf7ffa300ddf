"""Nodes, and the names that they bind."""

from __future__ import annotations

from collections.abc import Hashable

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.graph.numbers import Number

FLOATS = ("f64", "f32")


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """One value of an expression; equal expressions of a graph are the same node.

    | kind | arguments | data |
    | --- | --- | --- |
    | `constant` | | the number |
    | `symbol` | | what tells it from others |
    | `sum` | terms | one coefficient each, then the constant |
    | `product` | bases | one exponent each |
    | `function` | one or two | its name |
    | `compare`, `logic` | two, one or two | the predicate, the connective |
    | `gamma` | condition, then, otherwise | `lazy` if only one arm should be computed |
    | `barrier` | what nothing is rewritten across | |
    | `opaque` | arguments of a call | the callee, then its derivatives |
    | `element` | array, indices | |
    | `size` | array | the axis |
    | `loop` | what its kind of loop takes (`loops`) | the kind, then its bodies |
    | `part` | a loop | which of its results |

    `place` grows from arguments to what is made of them, so that sorting by it is an order of evaluation.
    """

    kind: str
    type: str
    args: tuple[Node, ...]
    data: tuple[Hashable, ...]
    place: int

    @property
    def is_float(self) -> bool:
        """Whether derivatives flow through it."""
        return self.type in FLOATS

    @property
    def constant(self) -> Number:
        """The number that a `constant` is, or that a `sum` adds."""
        return self.data[-1]  # type: ignore[return-value]

    @property
    def coefficients(self) -> tuple[Number, ...]:
        """Of a `sum`, one per term."""
        return self.data[:-1]  # type: ignore[return-value]

    @property
    def exponents(self) -> tuple[Number, ...]:
        """Of a `product`, one per base."""
        return self.data  # type: ignore[return-value]

    @property
    def name(self) -> str:
        """Of a `function`, a comparison, a connective or a loop."""
        return self.data[0]  # type: ignore[return-value]

    @property
    def bodies(self) -> tuple[Body, ...]:
        """Of a `loop`."""
        return tuple(each for each in self.data if isinstance(each, Body))


@dataclass(frozen=True, slots=True)
class Body:
    """A function of bound symbols inside of a loop.

    Bound symbols are named by `level`, one more than that of any body inside, and position: equal bodies are equal, and
    what stands in an inner body is never taken for a symbol of it.
    """

    level: int
    parameters: tuple[Node, ...]
    results: tuple[Node, ...]
