"""`soac-fuse-scans`: scans computed together with the maps before and after them, tile by tile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.build import map_
from tapeless.passes.ir.rebuild import recreate, replace_op
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.shapes import same_width
from tapeless.passes.marks import CASCADE, DEFERRED
from tapeless.passes.soac.cascade.neighbours import use_exclusive_scans
from tapeless.passes.soac.cascade.places import has_scalar_body, is_outside_operators
from tapeless.passes.soac.simplify.prune import prune

# What is computed again in every launch has so many operations at most, per operator.
MOST_OPERATIONS = 32


@dataclass(frozen=True)
class FuseScans:
    """Marks maps for fusion with the scans and maps that only they use, element by element.

    ```mlir
    %p = "soac.map"(%n, %x, %g) ({ mulf })                %p = ...                 {tapeless.deferred}
    %s = "soac.scan"(%n, %p, %zero) ({ addf })            %s = ...                 {tapeless.deferred}
    %r = "soac.map"(%n, %s, %x) ({ divf })                %r = "soac.map"(%n, %s, %x, %g) ({ divf }) {tapeless.cascade}
    ```
    The map reads the inputs of those that are deferred, too, so that they are there when it runs. For targets where
    an array costs more to store than to compute again.
    """

    name: ClassVar[str] = "soac-fuse-scans"

    def run(self, module: ir.Module) -> None:
        """Marks operators that can be fused, the last ones first."""
        root = module.operation.opview
        for op in ops_named(root, "soac.map"):
            if is_outside_operators(op):
                use_exclusive_scans(op)
        prune(root)
        for op in reversed(ops_named(root, "soac.map", "soac.scan")):
            if is_outside_operators(op) and DEFERRED not in op.attributes:
                _mark(op)


def _mark(op: ir.OpView) -> None:
    if not _can_join(op, may_read=op.operation.name == "soac.map"):
        return
    deferred = _deferred(op)
    if not any(each.operation.name == "soac.scan" for each in [*deferred, op]) or not deferred:
        return
    last = op if op.operation.name == "soac.map" else _copied(op)
    if last is not op:
        deferred.append(op)
    for each in deferred:
        each.attributes[DEFERRED] = ir.UnitAttr.get(each.context)
    _read_early(last, deferred)


def _can_join(op: ir.OpView, *, may_read: bool) -> bool:
    if op.operation.name == "soac.map" and len(op.accs):
        return False
    arrays = [*op.inputs, *op.results]
    return all(array.type.rank == 1 for array in arrays) and has_scalar_body(op, MOST_OPERATIONS, may_read=may_read)


def _deferred(last: ir.OpView) -> list[ir.OpView]:
    """The operators before `last`, those behind others first, that it and they use element by element alone."""
    users = [last]
    for op in _before(last):
        is_wanted = any(result in set(user.inputs) for user in users for result in op.operation.results)
        if is_wanted and same_width(op.width, last.width) and _can_join(op, may_read=False) and _is_theirs(op, users):
            users.append(op)
    return users[1:]


def _before(op: ir.OpView) -> Iterator[ir.OpView]:
    """The maps and scans before an operation in its block, the nearest first."""
    operations = list(op.operation.block.operations)
    place = next(number for number, each in enumerate(operations) if each.operation == op.operation)
    for each in reversed(operations[:place]):
        if each.operation.name in ("soac.map", "soac.scan") and DEFERRED not in each.attributes:
            yield each


def _is_theirs(op: ir.OpView, users: list[ir.OpView]) -> bool:
    """Whether these operators alone use an operator, as elements."""
    for result in op.operation.results:
        for use in result.uses:
            owner = next((user for user in users if user.operation == use.owner.operation), None)
            if owner is None or not 1 <= use.operand_number <= len(owner.inputs):
                return False
    return True


def _copied(scan: ir.OpView) -> ir.OpView:
    """A map behind a scan that hands on its results."""
    results = list(scan.operation.results)
    uses = [(use.owner.operation, use.operand_number) for result in results for use in result.uses]
    numbers = [number for number, result in enumerate(results) for _ in result.uses]
    following = list(scan.operation.block.operations)
    place = next(number for number, each in enumerate(following) if each.operation == scan.operation)
    with ir.InsertionPoint(following[place + 1]), scan.location:
        made, _ = map_(scan.width, results, [], lambda _, elements, __: (list(elements), []))
    for (user, operand), number in zip(uses, numbers, strict=True):
        user.operands[operand] = made[number]
    return made[0].owner.opview


def _read_early(last: ir.OpView, deferred: list[ir.OpView]) -> None:
    """The map with the inputs of deferred operators that are there as inputs of its own."""
    made = {result for op in deferred for result in op.operation.results}
    wanted = [value for op in deferred for value in op.inputs if value not in made and value not in set(last.inputs)]
    inputs = list(dict.fromkeys(wanted))
    block = last.regions[0].blocks[0]
    for value in inputs:
        block.add_argument(value.type.element_type, last.location)
    groups = [[last.width], [*last.inputs, *inputs], []]
    new = recreate(last, groups, [value.type for value in last.results])
    new.attributes[CASCADE] = ir.UnitAttr.get(last.context)
    replace_op(last, list(new.results))
