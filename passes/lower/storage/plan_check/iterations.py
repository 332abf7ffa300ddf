"""What differs between two iterations of a loop, and which operations never run in the same one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tapeless._mlir import ir
from tapeless.passes.ir.sizes.expressions import Computed, Dim, Total
from tapeless.passes.lower.storage.plan_check.affine import Affine, Atom, Distance, Elsewhere, Key, single
from tapeless.passes.lower.storage.tree import Node

Rename: TypeAlias = Callable[[Affine], Affine]
WITH_INDEX = frozenset({"soac.map", "soac.fused", "soac.fused_hist", "scf.for"})


def iteration(node: Node) -> Affine:
    """The number of a loop's iteration: the index its body gets, or what stands for it."""
    return single(node.arguments()[0] if node.name in WITH_INDEX else node)


def elsewhere(value: Affine, loop: Node) -> Affine:
    """An expression as another iteration of a loop sees it; what does not change in the loop stays."""
    return value.replaced(lambda atom: _elsewhere(atom, loop))


def _elsewhere(atom: Atom, loop: Node) -> Affine:
    return single(Elsewhere(atom, loop)) if changes_in(atom, loop) else single(atom)


def changes_in(atom: Atom, loop: Node) -> bool:
    """Whether an atom may have another value in another iteration of a loop."""
    if isinstance(atom, (Distance, int)):
        return False
    if isinstance(atom, Elsewhere):
        return changes_in(atom.atom, loop)
    if isinstance(atom, Computed):
        return any(changes_in(operand, loop) for operand in atom.operands)
    if isinstance(atom, Total):
        return any(changes_in(part, loop) for part, _ in atom.parts)
    if isinstance(atom, (Dim, Key)):
        return changes_in(atom.array if isinstance(atom, Dim) else atom.node, loop)
    if isinstance(atom, ir.Value):
        return _is_defined_in(atom, loop)
    return isinstance(atom, Node) and loop.contains(atom)


def _is_defined_in(value: ir.Value, loop: Node) -> bool:
    block = value.owner if isinstance(value, ir.BlockArgument) else value.owner.operation.block
    while block is not None:
        holder = block.owner
        if holder == loop.op:
            return True
        if holder.operation.name == "func.func":
            return False
        block = holder.operation.block
    return False


def are_exclusive(left: Node, right: Node) -> bool:
    """Whether two operations lie in different branches of one `scf.if`."""
    branches = {}
    node = left
    while node.parent is not None:
        if node.parent.name == "scf.if":
            branches[node.parent] = node.region
        node = node.parent
    node = right
    while node.parent is not None:
        if branches.get(node.parent, node.region) != node.region:
            return True
        node = node.parent
    return False


def renames(loop: Node) -> list[Rename]:
    """How integers differ in the iterations of a loop in which a write may come before a read: earlier ones, or any."""
    if loop.name == "scf.while":
        return [lambda value: elsewhere(value, loop)]
    return [_shift(loop, sign) for sign in ((-1,) if loop.name == "scf.for" else (-1, 1))]


def _shift(loop: Node, sign: int) -> Rename:
    """What an iteration before (or after) this one sees."""
    index = iteration(loop)
    shifted = index.plus(single(Distance()), sign)
    return lambda value: value.replaced(lambda atom: shifted if single(atom) == index else _elsewhere(atom, loop))
