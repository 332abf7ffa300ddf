"""The pass `soac-rematerialise` recomputes cheap elements at their readers, so that fusion leaves no array."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.costs import INDEX_ONLY_LIMIT, has_check, is_cheap
from tapeless.passes.ir.rebuild import body_at, replace_op
from tapeless.passes.ir.rows import row_at
from tapeless.passes.ir.sizes.shapes import same_width
from tapeless.passes.soac.fuse.fold_transposes import fold_transposes
from tapeless.passes.soac.simplify.prune import prune

CHEAP_LIMIT = 4


@dataclass(frozen=True)
class Rematerialise:
    """Rematerialises cheap elements at their readers, so that fusion leaves no array between.

    ```mlir
    %y = "soac.map"(%n, %x) ({ negf })                %y = "soac.map"(%n, %x) ({ negf })
    %a = "soac.map"(%n, %y) ({ exp })                 %a = "soac.map"(%n, %y) ({ exp })
    %s = "soac.reduce"(%n, %y, ...)                   %z = "soac.map"(%n, %x) ({ negf })
                                                      %s = "soac.reduce"(%n, %z, ...)
    ```
    A single element that is read is computed in place of the read, and products of vectors of which only the
    transposition is read are computed in that order (`fold_transposes.py`).
    """

    name: ClassVar[str] = "soac-rematerialise"
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """Copies maps to their readers; those that nobody reads any more go."""
        root = module.operation.opview
        fold_transposes(root)
        recompute_cheap(root)
        prune(root)


def recompute_cheap(root: ir.OpView) -> None:
    """Gives the readers of cheap maps below `root` their own copies; fusion and dead-code elimination do the rest."""
    for op in list(_maps_below(root)):
        if _makes_scalars(op):
            _recompute(op)


def _maps_below(root: ir.OpView) -> Iterator[ir.OpView]:
    for region in root.regions:
        for block in region.blocks:
            for op in block.operations:
                if op.operation.name == "soac.map":
                    yield op
                yield from _maps_below(op)


def _makes_scalars(op: ir.OpView) -> bool:
    return len(op.results) == 1 and not op.accs and op.results[0].type.rank == 1


def _recompute(op: ir.OpView) -> None:
    block = op.regions[0].blocks[0]
    readers = [use.owner for use in op.results[0].uses]
    loops = [reader for reader in readers if _is_element_reader(reader, op)]
    reads = [reader for reader in readers if reader.operation.name == "tensor.extract"]
    if not op.inputs and is_cheap(block, INDEX_ONLY_LIMIT):
        _copy_into(op, loops, reads)
    elif len(readers) == 1 and reads and _is_worth_one_read(op, reads[0]):
        _copy_into(op, [], reads)
    elif len(readers) > 1 and len(op.inputs) <= 1 and is_cheap(block, CHEAP_LIMIT):
        here = op.operation.block
        if len(loops) == len(readers) and all(reader.operation.block == here for reader in loops):
            _copy_into(op, loops, [])


def _is_element_reader(reader: ir.OpView, op: ir.OpView) -> bool:
    loop = Loop.of(reader)
    return loop is not None and op.results[0] in loop.inputs and same_width(loop.width, op.width)


def _is_worth_one_read(op: ir.OpView, read: ir.OpView) -> bool:
    """One element is wanted once, or is cheap wherever it is wanted."""
    block = op.regions[0].blocks[0]
    beside = read.operation.block == op.operation.block
    return is_cheap(block, CHEAP_LIMIT) or (beside and not has_check(block))


def _copy_into(op: ir.OpView, loops: list[ir.OpView], reads: list[ir.OpView]) -> None:
    array = op.results[0]
    for loop in {loop.operation: loop for loop in loops}.values():
        copy = op.operation.clone(ip=ir.InsertionPoint(loop))
        for number in range(1, 1 + len(Loop.seen_as(loop).inputs)):
            if loop.operands[number] == array:
                loop.operation.operands[number] = copy.results[0]
    for read in reads:
        replace_op(read, [_element_at(op, read)])


def _element_at(op: ir.OpView, read: ir.OpView) -> ir.Value:
    """The value of a read, recomputed before it."""
    place = read.operands[1]
    at = ir.InsertionPoint(read)
    with at, read.location:
        elements = [row_at(array, place) for array in op.inputs]
    return body_at(op, place, elements, read)[0]
