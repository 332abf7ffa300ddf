"""The operations of a function as a tree with positions, so that questions about order cost a comparison."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass

LOOPS = frozenset(
    {"scf.for", "scf.while", "soac.map", "soac.reduce", "soac.scan", "soac.fused", "soac.hist", "soac.fused_hist"}
)
# Dialects without regions.
SCALARS = ("arith.", "math.")
METADATA_READS = frozenset({"tensor.dim"})


@dataclass(eq=False)
class Node:
    """An operation with its place: `position` counts operations from the start, `end` is the last position inside."""

    op: ir.OpView
    name: str
    position: int
    parent: Node | None
    region: int
    operands: list[ir.Value]
    results: list[ir.Value]
    end: int = 0
    regions: list[list[Node]] = field(default_factory=list)

    @property
    def terminator(self) -> Node:
        """The last operation of the first region."""
        return self.regions[0][-1]

    def is_loop(self) -> bool:
        return self.name in LOOPS

    def contains(self, other: Node) -> bool:
        return self.position <= other.position <= self.end

    def same_block(self, other: Node) -> bool:
        return self.parent is other.parent and self.region == other.region

    def following(self) -> list[Node]:
        """The operations after this one in its block."""
        assert self.parent is not None
        block = self.parent.regions[self.region]
        return block[block.index(self) + 1 :]

    def arguments(self, region: int = 0) -> list[ir.Value]:
        return list(self.op.regions[region].blocks[0].arguments)

    def path(self) -> list[tuple[Node, int]]:
        """The enclosing operations, outermost first, each with the region that holds this operation."""
        steps: list[tuple[Node, int]] = []
        node = self
        while node.parent is not None:
            steps.append((node.parent, node.region))
            node = node.parent
        return steps[::-1]

    def ancestor_beside(self, other: Node) -> Node | None:
        """This operation or the one around it that lies in the same block as `other`."""
        node: Node | None = self
        while node is not None and not node.same_block(other):
            node = node.parent
        return node


class Tree:
    """All operations of a function, in order, and for every value the operations that use it."""

    def __init__(self, function: ir.OpView) -> None:
        self.uses: dict[ir.Value, list[Node]] = defaultdict(list)
        self.definition: dict[ir.Value, Node] = {}
        self.nodes: list[Node] = []
        self.root = self._visit(function, None, 0)

    def reads(self, value: ir.Value) -> list[Node]:
        """The users that look at the contents of an array (asking for its size does not)."""
        return [node for node in self.uses[value] if node.name not in METADATA_READS]

    def _visit(self, op: ir.OpView, parent: Node | None, region: int) -> Node:
        operation = op.operation
        name, operands, results = operation.name, list(operation.operands), list(operation.results)
        node = Node(op, name, len(self.nodes), parent, region, operands, results)
        self.nodes.append(node)
        for value in operands:
            self.uses[value].append(node)
        for value in results:
            self.definition[value] = node
        for number, inner in enumerate(() if name.startswith(SCALARS) else operation.regions):
            nodes: list[Node] = []
            for block in inner.blocks:
                for argument in block.arguments:
                    self.definition[argument] = node
                nodes += [self._visit(child, node, number) for child in block.operations]
            node.regions.append(nodes)
        node.end = len(self.nodes) - 1
        return node


def are_exclusive(first: Node, second: Node) -> bool:
    """Whether two operations lie in different branches of one `scf.if`, so that never both run."""
    for (left, left_region), (right, right_region) in zip(first.path(), second.path(), strict=False):
        if left is not right:
            return False
        if left_region != right_region:
            return left.name == "scf.if"
    return False
