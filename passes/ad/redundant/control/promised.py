"""Loops whose arrays lose no value that is read again (`ad.promise`): the final array stands for every earlier state.

The user promises that no element is written after it has been read or written. So going back, each iteration runs again
on the final array, and what it would write there is there already. With checks on, loops carry a digest of what they
read (`passes/ad/prepare/digests.py`); running again must lead to the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.dialects.ad.marks import SURE
from tapeless.passes.ir.regions.structure import arguments_of, operands_of

PROMISE = "ad.promise"
WRITES = {"tensor.insert": 1, "tensor.insert_slice": 1, "soac.scatter": 1, PROMISE: 0}
MESSAGE = "an array named in true_dep was overwritten after it was read; drop true_dep or write every element once"


def promised(loop: ir.OpView) -> set[int]:
    """The positions of the carried arrays that there is a promise about."""
    return _positions(loop, _promises(loop))


def promised_by_user(loop: ir.OpView) -> set[int]:
    """The positions of the carried arrays that the user promised about."""
    return _positions(loop, [op for op in _promises(loop) if SURE not in op.operation.attributes])


def _promises(loop: ir.OpView) -> list[ir.OpView]:
    return [op for op in loop.operation.regions[0].blocks[0].operations if op.operation.name == PROMISE]


def _positions(loop: ir.OpView, marks: Sequence[ir.OpView]) -> set[int]:
    marked = [op.operation.operands[0] for op in marks]
    return {k for k, value in enumerate(arguments_of(loop, "carried")) if value in marked}


def writes_of(loop: ir.OpView) -> Iterator[ir.Value]:
    """The versions of the promised arrays between the start of an iteration and the next, as far as they are plain."""
    block = loop.operation.regions[0].blocks[0]
    for k in promised(loop):
        value = list(block.operations)[-1].operation.operands[k]
        while not isinstance(value, ir.BlockArgument) and value.owner.operation.block == block:
            yield value
            op = value.owner.operation
            if op.name == "scf.for":
                value = operands_of(op, "carried")[value.result_number]
            elif op.name in WRITES:
                value = op.operands[WRITES[op.name]]
            else:
                break


@dataclass
class PromisedArrays:
    """Executed arrays that hold all that is going to be written into them, and the writes that need not run on them."""

    arrays: set[ir.Value] = field(default_factory=set)
    writes: set[ir.Value] = field(default_factory=set)

    def enter(self, loop: ir.OpView, finals: Sequence[ir.Value]) -> None:
        """Takes the arrays that a loop with promises ended with."""
        self.arrays.update(finals[k] for k in promised(loop))
        self.writes.update(writes_of(loop))

    def covers(self, loop: ir.OpView, position: int, start: ir.Value) -> bool:
        """Whether a loop that starts from an executed array only writes the same values again."""
        return start in self.arrays and loop.operation.results[position] in self.writes

    def skips(self, op: ir.OpView, values: Mapping[ir.Value, ir.Value]) -> ir.Value | None:
        """The executed array into which `op` would only write the same values again, if it does nothing else."""
        name = op.operation.name
        if name not in WRITES or op.operation.results[0] not in self.writes:
            return None
        array = values.get(op.operation.operands[WRITES[name]])
        return array if array in self.arrays else None


def check_digest(again: ir.Value, before: ir.Value) -> None:
    """Raises when something else has been read than the first time."""
    same = arith.CmpIOp(arith.CmpIPredicate.eq, again, before).result
    soac.AssertOp(same, [], kind=ir.StringAttr.get("TapelessError"), message=ir.StringAttr.get(MESSAGE))
