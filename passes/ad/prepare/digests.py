"""The pass `ad-digests`: loops with promised arrays (`ad.promise`) carry a digest of all loads from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.ad.marks import DIGEST
from tapeless.passes.ad.copying import free_values
from tapeless.passes.ad.prepare.fingerprints import mixed
from tapeless.passes.ad.redundant.control.promised import WRITES, promised_by_user
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.ir.build import number
from tapeless.passes.ir.rebuild import recreate, replace_op, retarget_terminator
from tapeless.passes.ir.regions.structure import arguments_of, operands_of

Versions = set[ir.Value]


@dataclass(frozen=True)
class Digests(FunctionPass):
    """Adds a checksum of all loads from promised arrays to their loops, so that a broken promise is found.

    ```mlir
    scf.for ... iter_args(%a = %x) {                  scf.for ... iter_args(%a = %x, %digest = 0) {
      %b = "ad.promise"(%a)                                %b = "ad.promise"(%a)
      %v = tensor.extract %b[%i]                        %v = tensor.extract %b[%i]
      ...                                               ... (%digest mixed with %v)
    }                                                 } {ad.digest}
    ```
    The return sweep runs every iteration again on the final arrays and compares the digest it comes to with the one
    from before (`passes/ad/redundant/control/promised.py`). It is an `i64`, the last carried value of loops marked
    `ad.digest`.
    """

    name: ClassVar[str] = "ad-digests"

    def run_on(self, function: ir.OpView) -> None:
        """Rewrites the loops of the function that have promised arrays, and the loops and branches in them."""
        digest_reads(function)


def digest_reads(function: ir.OpView) -> None:
    """Gives a digest to every loop of a function that has promised arrays, and to the loops and branches in it."""
    for op in _outermost(function):
        with ir.InsertionPoint(op), op.location:
            start = number(ir.IntegerType.get_signless(64), 0)
            _loop(op, set(), start)


def _outermost(op: ir.OpView) -> Iterator[ir.OpView]:
    for region in op.operation.regions:
        for block in region.blocks:
            for inner in list(block.operations):
                if inner.operation.name == "scf.for" and promised_by_user(inner):
                    yield inner
                else:
                    yield from _outermost(inner)


def _block(block: ir.Block, versions: Versions, digest: ir.Value) -> ir.Value:
    """Adds the loads of a block from the versions of promised arrays; gives the digest after them."""
    for op in list(block.operations)[:-1]:
        if _writes_into(op, versions):
            versions.update(op.operation.results)
        elif versions.intersection([*op.operation.operands, *free_values(op)]) or _is_promised(op):
            digest = STRUCTURED.get(op.operation.name, _statement)(op, versions, digest)
    return digest


def _is_promised(op: ir.OpView) -> bool:
    return op.operation.name == "scf.for" and bool(promised_by_user(op))


def _writes_into(op: ir.OpView, versions: Versions) -> bool:
    name = op.operation.name
    return name in WRITES and op.operation.operands[WRITES[name]] in versions


def _statement(op: ir.OpView, versions: Versions, digest: ir.Value) -> ir.Value:
    following = op.operation.block.operations
    position = next(k for k, each in enumerate(following) if each.operation == op.operation)
    with ir.InsertionPoint(following[position + 1]), op.location:
        for result in op.operation.results:
            digest = mixed(digest, result)
    return digest


def _loop(op: ir.OpView, versions: Versions, digest: ir.Value) -> ir.Value:
    """The loop with the digest as one more carried value."""
    initial, block = operands_of(op, "carried"), op.operation.regions[0].blocks[0]
    positions = promised_by_user(op)
    carried = [k for k, value in enumerate(initial) if value in versions or k in positions]
    inner = versions | {arguments_of(op, "carried")[k] for k in carried}
    argument = block.add_argument(digest.type, op.location)
    _end(block, inner, argument)
    made = _with_digest(op, [[*op.operation.operands, digest]])
    if positions:
        made.operation.attributes[DIGEST] = ir.UnitAttr.get()
    versions.update(made.operation.results[k] for k in carried)
    return made.operation.results[len(initial)]


def _branch(op: ir.OpView, versions: Versions, digest: ir.Value) -> ir.Value:
    """The branch with the digest as one more result; arrays that one side takes from a promised one are versions."""
    ends = []
    for region in op.operation.regions:
        inner = set(versions)
        yielded = list(region.blocks[0].operations)[-1].operation.operands
        _end(region.blocks[0], inner, digest)
        ends.append([value in inner for value in yielded])
    count = len(op.operation.results)
    made = _with_digest(op, [list(op.operation.operands)])
    versions.update(made.operation.results[k] for k in range(count) if any(end[k] for end in ends))
    return made.operation.results[count]


def _end(block: ir.Block, versions: Versions, digest: ir.Value) -> None:
    """Appends the digest to the operands of a block's terminator."""
    digest = _block(block, versions, digest)
    retarget_terminator(block, [*list(block.operations)[-1].operation.operands, digest])


def _with_digest(op: ir.OpView, groups: list[list[ir.Value]]) -> ir.OpView:
    made = recreate(op, groups, [*(result.type for result in op.operation.results), ir.IntegerType.get_signless(64)])
    replace_op(op, list(made.operation.results)[:-1])
    return made


STRUCTURED = {"scf.for": _loop, "scf.if": _branch}
