"""Value-preserving simplifications of expressions: the last ones before they become code."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.passes.phi.factor.common import factored
from tapeless.passes.phi.factor.share import shared
from tapeless.passes.phi.factor.signs import with_fewer_signs
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node


def cheapest(g: Graph, roots: Sequence[Node]) -> list[Node]:
    """The roots with common factors taken out, signs taken in, and common parts of products made once."""
    return shared(g, with_fewer_signs(g, factored(g, roots)))
