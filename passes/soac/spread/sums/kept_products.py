"""Products with matrices that were kept for derivatives, taken out of their sums: rows are added up, not products."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from tapeless._mlir import arith, ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.dialects.soac.builders import fill
from tapeless.passes.ir import build
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.constants import is_zero_fill
from tapeless.passes.ir.scopes import is_defined_outside, outer_values
from tapeless.passes.ir.sizes.shapes import scalar_size, size_of
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.spread.sums.linear import FREE, adds_up, kept_loops, only_contribution
from tapeless.passes.soac.spread.sums.made_by import Made, made_by
from tapeless.passes.soac.spread.sums.owners import Equal
from tapeless.passes.soac.sums.contributions import Contribution, index_of
from tapeless.passes.soac.sums.replay import CannotReplay, Replay

FLAGS = "#arith.fastmath<reassoc,contract>"


def hoist_kept_products(accumulation: ir.OpView, equal: list[Equal]) -> bool:
    """Takes matrices out of sums of matrix-vector products; says whether there was any.

    ```mlir
    map over n:                                       map over n:
      %y = map over k, i: sum over j of m * v           ...
      map over k:                                       map over k:
        update(%acc, %k, map over i: f(%y[k, i]))         update(%acc, %k, map over j: f(v))
                                                      %g = map over k, i: sum over j of m * %s[k, j]
    ```
    where f is linear and may be taken apart, m depends on k, i and j only and v not on i. Then nobody has to keep %y,
    which must have a row for each k: one that all k share is less to keep than to apply the matrix for. There is less
    to add up than to multiply, unless f gives rows: then the matrix must be square. `equal` learns which widths must be
    which sizes of arrays, that of a matrix which is not known to be square among them.
    """
    changed = False
    for number in range(len(accumulation.operands)):
        found = KeptProduct.of(accumulation, number)
        if found is not None and found.hoist(equal):
            changed = True
    return changed


@dataclass(frozen=True)
class KeptProduct:
    """An accumulator to which one update adds something linear in products with a matrix that were made before."""

    accumulation: ir.OpView
    number: int
    contribution: Contribution
    rows: Loop
    made: Made
    sums: Loop

    @staticmethod
    def of(accumulation: ir.OpView, number: int) -> KeptProduct | None:
        contribution = only_contribution(accumulation, number)
        if contribution is None or len(contribution.places) >= accumulation.operands[number].type.rank:
            return None
        rows = _linear_rows(contribution.value)
        made = None if rows is None else made_by(rows.inputs[0], index_of(rows.op), accumulation)
        if rows is None or made is None or made.element.owner.operation.name != "soac.fused":
            return None
        sums = Loop.seen_as(made.element.owner)
        if not adds_up(sums) or _factors(sums) is None:
            return None
        if not _may_be_equal(sums.width, rows.width) or not is_defined_outside(sums.width, accumulation.operation):
            return None
        if not {index_of(loop) for loop in kept_loops(contribution)} <= {place for _, place in made.loops}:
            return None
        return KeptProduct(accumulation, number, contribution, rows, made, sums)

    @property
    def dest(self) -> ir.Value:
        return self.accumulation.operands[self.number]

    def hoist(self, equal: list[Equal]) -> bool:
        """Rewrites the accumulator, if one factor can be computed after the accumulation and the other one without the
        rows.
        """
        one, other = _factors(self.sums) or (None, None)
        for matrix, vector in ((one, other), (other, one)):
            row = self._vector(vector)
            product = None if row is None else self._after(matrix)
            if product is not None:
                self._replace(row, product, equal)
                return True
            if row is not None:
                row.owner.operation.erase()
        return False

    def _replace(self, row: ir.Value, product: ir.Value, equal: list[Equal]) -> None:
        dest, op, number = self.dest, self.rows.op.operation, len(self.contribution.places)
        for axis, loop in enumerate([*kept_loops(self.contribution), self.rows.op]):
            size = scalar_size(loop.operands[0])
            if size != size_of(dest, axis):
                equal.append((size, size_of(dest, axis)))
        wanted = scalar_size(self.sums.width)
        is_square = wanted in (size_of(dest, number), scalar_size(self.rows.width))
        may_be_wide = number == dest.type.rank - 1 and dest.type.is_dynamic_dim(number)
        if not is_square and not may_be_wide:
            equal.append((wanted, size_of(dest, number)))
        op.operands[0], op.operands[1] = self.sums.width, row
        if not is_zero_fill(dest) or not is_square:
            with self.accumulation.location, ir.InsertionPoint(self.accumulation):
                sizes = [build.dim(dest, axis) for axis in range(dest.type.rank)]
                sizes[number] = self.sums.width
                zero = build.number(dest.type.element_type, 0.0)
                self.accumulation.operation.operands[self.number] = build.filled(dest.type, sizes, zero)

    def _vector(self, vector: ir.Value) -> ir.Value | None:
        """The row that the matrix was applied to, before the map that read products, if it is the same for all."""
        scratch, block = _scratch(self.rows.op)
        row = None
        with self.rows.op.location, ir.InsertionPoint(block), contextlib.suppress(CannotReplay):
            row = build.map_(self.sums.width, [], [], lambda index, *_: ([self._element(vector, index)], []))[0][0]
        for op in list(block.operations) if row is not None else []:
            op.operation.move_before(scratch)
        scratch.erase()
        return row

    def _element(self, vector: ir.Value, index: ir.Value) -> ir.Value:
        replay = Replay(self.made.loops[0][0], {})
        self.made.enter(replay, without=[index_of(self.rows.op)])
        replay.enter(self.sums.op, index)
        return replay.scalar(vector)

    def _after(self, matrix: ir.Value) -> ir.Value | None:
        """The matrix applied to the sum, in place of all uses of the accumulator's result."""
        result, dest = self.accumulation.results[self.number], self.dest
        uses = [(use.owner, use.operand_number) for use in result.uses]
        scratch, block = _scratch(self.accumulation)
        scratch.move_after(self.accumulation.operation)
        product = None
        with self.accumulation.location, ir.InsertionPoint(block), contextlib.suppress(CannotReplay):
            product = self._product(result, matrix, [])
            product = product if is_zero_fill(dest) else build.add(dest, product)
        for op in list(block.operations) if product is not None else []:
            op.operation.move_before(scratch)
        scratch.erase()
        for user, position in uses if product is not None else []:
            user.operation.operands[position] = product
        return product

    def _product(self, added: ir.Value, matrix: ir.Value, places: list[ir.Value]) -> ir.Value:
        """In maps over the axes of the accumulator."""
        if len(places) == self.dest.type.rank:
            return self._sum(added, matrix, places)

        def body(index: ir.Value, *_: object) -> tuple[list[ir.Value], list[ir.Value]]:
            return [self._product(added, matrix, [*places, index])], []

        return build.map_(build.dim(self.dest, len(places)), [], [], body)[0][0]

    def _sum(self, added: ir.Value, matrix: ir.Value, places: Sequence[ir.Value]) -> ir.Value:
        element, axis = added.type.element_type, len(self.contribution.places)
        loops = [*kept_loops(self.contribution), self.rows.op]
        op = soac.FusedOp(self.sums.width, [], [build.number(element, 0.0)], [], [element])

        def lift(index: ir.Value) -> list[ir.Value]:
            known = {index_of(loop): place for loop, place in zip(loops, places, strict=False)}
            replay = Replay(self.accumulation, known)
            self.made.enter(replay)
            replay.enter(self.sums.op, index)
            sum_ = tensor.ExtractOp(added, [*places[:axis], index, *places[axis + 1 :]]).result
            return [arith.mulf(replay.scalar(matrix), sum_, fastmath=ir.Attribute.parse(FLAGS))]

        fill(op.lift, [ir.IndexType.get()], lift)
        fill(op.reduce, [element, element], lambda a, b: [build.add(a, b)])
        total: ir.Value = op.operation.results[0]
        return total


def _may_be_equal(left: ir.Value, right: ir.Value) -> bool:
    """Whether two sizes are equal as far as is known when compiling."""
    known = constant_int(left), constant_int(right)
    return None in known or known[0] == known[1]


def _scratch(op: ir.OpView) -> tuple[ir.Operation, ir.Block]:
    """An operation before another one to write into, whose contents are kept or thrown away."""
    scratch = ir.Operation.create("soac.with_acc", regions=1, loc=op.location, ip=ir.InsertionPoint(op))
    return scratch, scratch.regions[0].blocks.append()


def _factors(sums: Loop) -> tuple[ir.Value, ir.Value] | None:
    """The two factors of the addend."""
    (lifted,) = sums.lifted()
    if isinstance(lifted, ir.BlockArgument) or lifted.owner.operation.name != "arith.mulf":
        return None
    return (lifted.owner.operands[0], lifted.owner.operands[1]) if lifted.owner.operation.block == sums.body else None


def _linear_rows(value: ir.Value) -> Loop | None:
    """The map that makes an array, if it is linear in the elements of the one array that it reads."""
    is_made = build.is_array(value) and not isinstance(value, ir.BlockArgument)
    if not is_made or value.owner.operation.name != "soac.map" or len(list(value.uses)) != 1:
        return None
    rows = Loop.seen_as(value.owner)
    if len(rows.inputs) != 1 or rows.accs or len(rows.mapped) != 1 or list(rows.body.arguments[0].uses):
        return None
    (element,) = rows.elements
    return rows if not build.is_array(element) and _is_linear(rows.body, {element}) else None


def _is_linear(block: ir.Block, linear: set[ir.Value]) -> bool:
    """Whether all that a block yields is linear in some values, by operations that may be taken apart."""
    for op in block.operations:
        name, used = op.operation.name, [value in linear for value in op.operands]
        if name == "soac.yield":
            return all(used)
        if len(op.regions):
            if not any(value in linear for value in outer_values(op)):
                continue
            if name != "soac.map" or len(op.accs) or any(used) or not _is_linear(op.regions[0].blocks[0], linear):
                return False
        elif not any(used):
            continue
        elif name not in LINEAR or not LINEAR[name](used) or FREE not in str(op.attributes["fastmath"]):
            return False
        linear.update(op.results)
    return False


# Which operands must be linear, so that the result is.
LINEAR = {
    "arith.mulf": lambda used: not all(used),
    "arith.addf": all,
    "arith.subf": all,
    "arith.negf": all,
}
