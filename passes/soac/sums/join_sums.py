"""`soac-join-sums`: sums of one loop that are added up afterwards, made into one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import arith, ir
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.build import any_order
from tapeless.passes.ir.constants import is_zero
from tapeless.passes.ir.rebuild import replace_op, retarget_terminator
from tapeless.passes.ir.scopes import is_used_once
from tapeless.passes.ir.search import holds
from tapeless.passes.soac.simplify.prune import prune


@dataclass(frozen=True)
class JoinSums:
    """Joins sums of one loop that are added up afterwards into one sum of all addends.

    ```mlir
    %s:2 = "soac.fused"(%n, %xs, %zero, %zero) ({ ... "soac.yield"(%a, %b) }, { sums }, {})
    %1 = arith.addf %0, %s#0 fastmath<reassoc,contract> : f64
    %2 = arith.addf %1, %s#1 fastmath<reassoc,contract> : f64
    ```
    becomes, because both additions may be reordered, one sum of `%a + %b` that is added to `%0`.
    """

    name: ClassVar[str] = "soac-join-sums"
    after: ClassVar[dict[str, str]] = {
        "soac-fuse": "it joins sums of one loop, and fusion makes the loop one",
    }
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """Joins sums until none is left that can be."""
        root = module.operation.opview
        while holds(root, "soac.fused") and join_sums(root):
            prune(root)


@dataclass(frozen=True)
class Sum:
    """A component of a fused loop that adds up scalars from zero on, and is used once."""

    loop: Loop
    number: int


def join_sums(root: ir.OpView) -> bool:
    """Joins sums below `root`; says whether any was, which leaves dead components and may make inner sums joinable."""
    changed = False
    for region in root.regions:
        for block in region.blocks:
            for op in list(block.operations):
                if op.operation.name == "arith.addf" and (pair := _pair(op)) is not None:
                    _join(*pair)
                    replace_op(op, [op.operands[0]])
                    changed = True
            for op in block.operations:
                changed |= join_sums(op)
    return changed


def _pair(op: ir.OpView) -> tuple[Sum, Sum] | None:
    """The sum that an addition adds, and one of the same loop that was added before, by additions in any order."""
    added = _sum_of(op.operands[1]) if _is_any_order(op) else None
    value = op.operands[0]
    while added is not None:
        if (other := _sum_of(value)) is not None and other.loop.op.operation == added.loop.op.operation:
            return other, added
        if not _is_link(value, op):
            return None
        left, right = value.owner.operands
        if (other := _sum_of(right)) is not None and other.loop.op.operation == added.loop.op.operation:
            return other, added
        value = left
    return None


def _is_link(value: ir.Value, op: ir.OpView) -> bool:
    if isinstance(value, ir.BlockArgument) or value.owner.operation.name != "arith.addf":
        return False
    return value.owner.operation.block == op.operation.block and _is_any_order(value.owner) and is_used_once(value)


def _is_any_order(op: ir.OpView) -> bool:
    return "reassoc" in str(op.attributes["fastmath"]) if "fastmath" in op.attributes else False


def _sum_of(value: ir.Value) -> Sum | None:
    if isinstance(value, ir.BlockArgument) or value.owner.operation.name != "soac.fused" or not is_used_once(value):
        return None
    loop = Loop.seen_as(value.owner)
    if value not in loop.reduced.results:
        return None
    number = loop.reduced.results.index(value)
    return Sum(loop, number) if is_zero(loop.reduced.neutral[number]) and _adds(loop, number) else None


def _adds(loop: Loop, number: int) -> bool:
    """Whether a component is combined by one addition."""
    block = loop.reduced.block
    arguments, count = list(block.arguments), len(loop.reduced.results)
    value = block.operations[len(block.operations) - 1].operands[number]
    if isinstance(value, ir.BlockArgument) or value.owner.operation.name != "arith.addf":
        return False
    pair = [arguments[number], arguments[count + number]]
    return list(value.owner.operands) in (pair, pair[::-1])


def _join(first: Sum, second: Sum) -> None:
    """Has the first component sum the addends of both."""
    block = first.loop.body
    last = block.operations[len(block.operations) - 1]
    yielded = list(last.operands)
    with ir.InsertionPoint(last), last.location:
        total = arith.AddFOp(yielded[first.number], yielded[second.number], fastmath=any_order()).result
    yielded[first.number] = total
    retarget_terminator(block, yielded)
