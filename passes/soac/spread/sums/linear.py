"""Linear maps hoisted out of sums: the vectors of one matrix are added up first."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from tapeless._mlir import arith, ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.dialects.soac.builders import fill
from tapeless.passes.ir import build
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.constants import is_zero, is_zero_fill
from tapeless.passes.ir.rebuild import Values, copy_op
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.sizes.shapes import scalar_size, size_of
from tapeless.passes.soac.spread.sums.owners import Equal
from tapeless.passes.soac.sums.contributions import Contribution, contributions_to
from tapeless.passes.soac.sums.replay import CannotReplay, Replay, Row

FREE = "reassoc"


def hoist_linear_maps(accumulation: ir.OpView, equal: list[Equal]) -> bool:
    """Takes matrices that outer iterations share out of their addends to rows; says whether there was any.

    ```mlir
    %g = "soac.with_acc"(%zeros) ({                   %s = "soac.with_acc"(%zeros) ({
      map over n, then over k:                          map over n, then over k:
        %row = map over j: sum over i of a * b            %row = map over i: a
        update(%acc, %k, %row)                            update(%acc, %k, %row)
                                                      %g = map over k, then over j: sum over i of %s[k, i] * b
    ```
    where b depends on k, i and j only, and a not on j. `equal` learns which widths must be which sizes of arrays.
    """
    changed = False
    for number in range(len(accumulation.operands)):
        found = LinearSum.of(accumulation, number)
        if found is not None and found.hoist(equal):
            changed = True
    return changed


@dataclass(frozen=True)
class LinearSum:
    """An accumulator to which one update adds rows that are products with a matrix."""

    accumulation: ir.OpView
    number: int
    contribution: Contribution
    is_negated: bool
    rows: Loop
    sums: Loop
    scaled: ir.Value
    matrix: ir.Value

    @staticmethod
    def of(accumulation: ir.OpView, number: int) -> LinearSum | None:
        contribution = only_contribution(accumulation, number)
        if contribution is None or len(contribution.places) != accumulation.operands[number].type.rank - 1:
            return None
        is_negated, row = _without_signs(contribution.value)
        maker = None if isinstance(row, ir.BlockArgument) else row.owner
        if maker is None or maker.operation.name != "soac.map" or len(maker.results) != 1 or len(list(row.uses)) != 1:
            return None
        rows = Loop.seen_as(maker)
        inner, *others = rows.body.operations
        if len(others) != 1 or inner.operation.name != "soac.fused" or rows.lifted() != list(inner.results):
            return None
        sums = Loop.seen_as(inner)
        factors = _factors(sums) if adds_up(sums) else None
        if factors is None:
            return None
        for scaled, matrix in (factors, factors[::-1]):
            if _is_free_of(scaled, sums, rows):
                return LinearSum(accumulation, number, contribution, is_negated, rows, sums, scaled, matrix)
        return None

    @property
    def dest(self) -> ir.Value:
        return self.accumulation.operands[self.number]

    def hoist(self, equal: list[Equal]) -> bool:
        """Rewrites the accumulator, if the matrix can be computed after the accumulation."""
        width, dest, result = self.sums.width, self.dest, self.accumulation.results[self.number]
        shape = [*dest.type.shape[:-1], build.static_size(width)]
        if not is_defined_outside(width, self.accumulation.operation) or shape != list(dest.type.shape):
            return False
        uses = [(use.owner, use.operand_number) for use in result.uses]
        at = ir.InsertionPoint(self.accumulation)
        scratch = ir.Operation.create("soac.with_acc", regions=1, loc=self.accumulation.location, ip=at)
        scratch.move_after(self.accumulation.operation)
        block = scratch.regions[0].blocks.append()
        product = None
        with self.accumulation.location, ir.InsertionPoint(block), contextlib.suppress(CannotReplay):
            replay = Replay(self.accumulation, {})
            product = self._product(result, dest, replay, [])
            product = product if is_zero_fill(dest) else build.add(dest, product)
        for op in list(block.operations) if product is not None else []:
            op.operation.move_before(scratch)
        scratch.erase()
        if product is None:
            return False
        for user, position in uses:
            user.operation.operands[position] = product
        for axis, loop in enumerate([*kept_loops(self.contribution), self.rows.op]):
            size = scalar_size(loop.operands[0])
            if size != size_of(dest, axis):
                equal.append((size, size_of(dest, axis)))
        self._add_before(width, dest)
        return True

    def _add_before(self, width: ir.Value, dest: ir.Value) -> None:
        """Has the accumulator add up the vectors that the matrix was applied to."""
        update = self.contribution.update
        with update.location, ir.InsertionPoint(update):
            row = self._scaled_row()
        update.operation.operands[len(update.operands) - 1] = row
        with self.accumulation.location, ir.InsertionPoint(self.accumulation):
            sizes = [*(build.dim(dest, axis) for axis in range(dest.type.rank - 1)), width]
            zero = build.number(dest.type.element_type, 0.0)
            self.accumulation.operation.operands[self.number] = build.filled(dest.type, sizes, zero)

    def _scaled_row(self) -> ir.Value:
        block = self.sums.body
        needed = _needed(self.scaled, block)
        given = dict(zip(self.sums.elements, self.sums.inputs, strict=True))
        used = [each for each in self.sums.elements if any(each in op.operation.operands for op in needed)]
        used += [self.scaled] if self.scaled in given and self.scaled not in used else []

        def body(index: ir.Value, elements: build.Rows, _: build.Rows) -> tuple[list[ir.Value], list[ir.Value]]:
            values: Values = {block.arguments[0]: index, **dict(zip(used, elements, strict=True))}
            for op in needed:
                copy_op(op, values)
            return [values.get(self.scaled, self.scaled)], []

        return build.map_(self.sums.width, [given[each] for each in used], [], body)[0][0]

    def _product(self, added: ir.Value, dest: ir.Value, replay: Replay, places: list[ir.Value]) -> ir.Value:
        """The matrix applied to the sum, in maps over the axes of the accumulator."""
        axis = len(places)
        if axis == dest.type.rank:
            return self._element(added, replay, places)
        loop = [*kept_loops(self.contribution), self.rows.op][axis]

        def body(index: ir.Value, *_: object) -> tuple[list[ir.Value], list[ir.Value]]:
            replay.enter(loop, index)
            return [self._product(added, dest, replay, [*places, index])], []

        return build.map_(build.dim(dest, axis), [], [], body)[0][0]

    def _element(self, added: ir.Value, replay: Replay, places: Sequence[ir.Value]) -> ir.Value:
        element = added.type.element_type
        flags = self.sums.lifted()[0].owner.attributes["fastmath"]
        op = soac.FusedOp(self.sums.width, [], [build.number(element, 0.0)], [], [element])

        def lift(index: ir.Value) -> list[ir.Value]:
            replay.scalars[self.sums.body.arguments[0]] = index
            for argument, array in zip(self.sums.elements, self.sums.inputs, strict=True):
                replay.rows[argument] = Row(array, (index,))
            sum_ = tensor.ExtractOp(added, [*places[:-1], index]).result
            return [arith.mulf(sum_, replay.scalar(self.matrix), fastmath=flags)]

        fill(op.lift, [ir.IndexType.get()], lift)
        fill(op.reduce, [element, element], lambda a, b: [build.add(a, b)])
        total = op.operation.results[0]
        return arith.negf(total, fastmath=flags) if self.is_negated else total


def only_contribution(accumulation: ir.OpView, number: int) -> Contribution | None:
    """The addend of one update of an array of floats at places that maps name, in loops of which others are summed
    over.
    """
    found = contributions_to(accumulation, number)
    element = accumulation.operands[number].type.element_type
    if not found or len(found) != 1 or not isinstance(element, ir.F64Type | ir.F32Type):
        return None
    places, kept = found[0].places, kept_loops(found[0])
    if len(kept) < len(places) or len(set(places)) < len(places) or len(found[0].loops) == len(kept):
        return None
    return found[0]


def kept_loops(contribution: Contribution) -> list[ir.OpView]:
    """The maps whose indices name the row that is added to."""
    return [loop for place in contribution.places if (loop := contribution.indexed_by(place)) is not None]


def _without_signs(row: ir.Value) -> tuple[bool, ir.Value]:
    """A row without the maps around it that only turn signs, and whether they turn them."""
    is_negated = False
    while not isinstance(row, ir.BlockArgument) and row.owner.operation.name == "soac.map":
        loop = Loop.seen_as(row.owner)
        names = [op.operation.name for op in loop.body.operations]
        if names != ["arith.negf", "soac.yield"] or len(loop.inputs) != 1 or len(list(row.uses)) != 1:
            break
        is_negated, row = not is_negated, loop.inputs[0]
    return is_negated, row


def adds_up(sums: Loop) -> bool:
    """Whether a loop adds up one number from zero, and does nothing else."""
    if len(sums.reduced.neutral) != 1 or sums.scanned.neutral or sums.mapped or not is_zero(sums.reduced.neutral[0]):
        return False
    return [op.operation.name for op in sums.reduced.block.operations] == ["arith.addf", "soac.yield"]


def _factors(sums: Loop) -> tuple[ir.Value, ir.Value] | None:
    """The two factors of the addend, if products may be reassociated."""
    (lifted,) = sums.lifted()
    if isinstance(lifted, ir.BlockArgument) or lifted.owner.operation.name != "arith.mulf":
        return None
    is_own = lifted.owner.operation.block == sums.body and FREE in str(lifted.owner.attributes["fastmath"])
    return (lifted.owner.operands[0], lifted.owner.operands[1]) if is_own else None


def _is_free_of(value: ir.Value, sums: Loop, rows: Loop) -> bool:
    """Whether a factor does not depend on the iteration of the map around the sum."""
    around = rows.op.operation
    given = dict(zip(sums.elements, sums.inputs, strict=True))
    read = [operand for op in _needed(value, sums.body) for operand in op.operation.operands] + [value]
    own = {result for op in sums.body.operations for result in op.results} | {sums.body.arguments[0]}
    return all(is_defined_outside(given.get(each, each), around) for each in read if each not in own)


def _needed(value: ir.Value, block: ir.Block) -> list[ir.OpView]:
    """The operations of a block that make a value, in order."""
    wanted, pending = set(), [value]
    while pending:
        current = pending.pop()
        if not isinstance(current, ir.BlockArgument) and current.owner.operation.block == block:
            wanted.add(current.owner.operation)
            pending.extend(current.owner.operands)
    return [op for op in block.operations if op.operation in wanted]
