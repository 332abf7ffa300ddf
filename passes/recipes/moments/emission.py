"""The two parts of sums of scaled rows: an accumulation of scales, and a map of all elements."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from tapeless._mlir import arith, ir, scf, tensor
from tapeless.dialects import soac
from tapeless.dialects.soac import AccType
from tapeless.dialects.soac.builders import with_acc
from tapeless.dialects.soac.marks import IN_BOUNDS
from tapeless.passes.ir import build
from tapeless.passes.ir.constants import is_zero_fill
from tapeless.passes.ir.rebuild import Values
from tapeless.passes.recipes.moments.keys import Key, Keyed
from tapeless.passes.recipes.moments.terms import Factors, Terms
from tapeless.passes.soac.spread.weights import is_acc
from tapeless.passes.soac.sums.contributions import Contribution
from tapeless.passes.soac.sums.replay import Replay

Predicate = arith.CmpIPredicate


def scale_sums(keyed: Keyed, scales: Sequence[Factors], sizes: Sequence[ir.Value]) -> ir.Value:
    """The accumulation in which every iteration adds its scales to the row of its keys."""
    element = keyed.dest.type.element_type
    shape = [*(build.static_size(size) for size in sizes), len(scales)]
    type_ = ir.RankedTensorType.get(shape, element)
    zeros = build.filled(type_, [*sizes, build.index(len(scales))], build.number(element, 0.0))
    region = keyed.accumulation.regions[0].blocks[0]

    def body(acc: ir.Value) -> list[ir.Value]:
        values: Values = {region.arguments[0]: acc}
        copier = _Copier(keyed, scales, AccType.get(type_), values)
        *statements, end = list(region.operations)
        for op in statements:
            copier.copy(op.operation)
        return [values[value] for value in end.operands]

    made: ir.Value = with_acc([zeros], [], body).operation.results[0]
    return made


class _Copier:
    """Copies the body of an accumulation with another accumulator, and scales instead of inner maps."""

    def __init__(self, keyed: Keyed, scales: Sequence[Factors], acc: ir.Type, values: Values) -> None:
        self.keyed, self.scales, self.acc, self.values = keyed, scales, acc, values

    def copy(self, op: ir.Operation) -> None:
        """A copy at the insertion point."""
        rows = self.keyed.rows
        if any(op == row.operation for row in rows):
            acc = self.values[next(value for value in op.operands if is_acc(value))]
            last = max((row.operation for row in rows), key=lambda row: list(row.block.operations).index(row.opview))
            self.values[op.results[0]] = self._updated(acc) if op == last else acc
            return
        operands = [self.values.get(value, value) for value in op.operands]
        attributes = {name: op.attributes[name] for name in op.attributes}
        results = [self._type_of(value) for value in op.results]
        made = ir.Operation.create(op.name, results, operands, attributes, regions=len(op.regions), loc=op.location)
        self.values.update(zip(op.results, made.results, strict=True))
        for old, new in zip(op.regions, made.regions, strict=True):
            for block in old.blocks:
                types = [self._type_of(argument) for argument in block.arguments]
                copy = new.blocks.append(*types, arg_locs=[op.location] * len(types))
                self.values.update(zip(block.arguments, copy.arguments, strict=True))
                with ir.InsertionPoint(copy):
                    for inner in block.operations:
                        self.copy(inner.operation)

    def _type_of(self, value: ir.Value) -> ir.Type:
        return self.acc if is_acc(value) else value.type

    def _updated(self, acc: ir.Value) -> ir.Value:
        """The accumulator with all scales of an iteration."""
        row = [self._row(key) for key in self.keyed.keys]
        element = self.keyed.dest.type.element_type
        made: dict[Factors, ir.Value] = {(): build.number(element, 1.0)}
        for number, scale in enumerate(self.scales):
            for length in range(1, len(scale) + 1):
                if scale[:length] not in made:
                    factor = self.values.get(scale[length - 1], scale[length - 1])
                    before = made[scale[: length - 1]]
                    product = arith.mulf(before, factor, fastmath=build.flags()) if length > 1 else factor
                    made[scale[:length]] = product
            update = soac.UpdateOp(acc, [*row, build.index(number)], made[scale], acc.type)
            update.operation.attributes[IN_BOUNDS] = ir.UnitAttr.get()
            acc = update.operation.results[0]
        return acc

    def _row(self, key: Key) -> ir.Value:
        """Which row of sums an iteration adds to."""
        row = self.values.get(key.root, key.root)
        if key.first.offset:
            row = arith.addi(row, build.index(key.first.offset))
        return row if key.period is None else arith.addi(row, key.period)


def element_sums(
    keyed: Keyed, terms: Sequence[Terms], scales: Sequence[Factors], sums: ir.Value, sizes: Sequence[ir.Value]
) -> ir.Value:
    """The array to which scaled rows are added, as maps over its axes."""
    dest = keyed.dest

    def level(places: list[ir.Value]) -> ir.Value:
        if len(places) < dest.type.rank:
            width = build.dim(dest, len(places))
            return build.map_(width, [], [], lambda index, *_: ([level([*places, index])], []))[0][0]
        added: list[ir.Value] = [] if is_zero_fill(dest) else [tensor.ExtractOp(dest, places).result]
        for contribution, own in zip(keyed.contributions, terms, strict=True):
            for ways in itertools.product(*(_ways(key) for key in keyed.keys)):
                part = _Part(keyed, contribution, own, scales, sums, sizes)
                added.append(part.emit(places, ways))
        total = added[0]
        for each in added[1:]:
            total = arith.addf(total, each, fastmath=build.any_order())
        return total

    return build.cast_to(dest.type, level([]))


def _ways(key: Key) -> list[bool]:
    """Whether a place may be negative before its period is added, or may not."""
    return [False] if key.period is None else [False, True]


class _Part:
    """The addend of one contribution to an element, for keys that lead there in one way."""

    def __init__(
        self,
        keyed: Keyed,
        contribution: Contribution,
        terms: Terms,
        scales: Sequence[Factors],
        sums: ir.Value,
        sizes: Sequence[ir.Value],
    ) -> None:
        self.keyed, self.contribution, self.terms = keyed, contribution, terms
        self.scales, self.sums, self.sizes = scales, sums, sizes

    def emit(self, places: Sequence[ir.Value], ways: Sequence[bool]) -> ir.Value:
        """The sum, or zero where no key leads to the element or none was used."""
        replay = Replay(self.keyed.accumulation, {})
        row: list[ir.Value] = []
        inside: list[ir.Value] = []
        for key, size, is_negative in zip(self.keyed.keys, self.sizes, ways, strict=True):
            place = key.places[self.contribution.places[key.axis]]
            at = places[key.axis]
            if is_negative:
                inside.append(arith.cmpi(Predicate.slt, at, key.period))
                at = arith.subi(at, key.period)
            root = arith.subi(at, build.index(place.offset)) if place.offset else at
            own = arith.addi(root, build.index(key.first.offset)) if key.first.offset else root
            own = own if key.period is None else arith.addi(own, key.period)
            if len(key.places) > 1:
                inside.append(arith.cmpi(Predicate.ult, own, size))
            row.append(own)
            replay.scalars[key.root] = root
        for axis in self.keyed.row_axes:
            loop = self.contribution.indexed_by(self.contribution.places[axis])
            assert loop is not None
            replay.enter(loop, places[axis])
        return self._if(_all(inside), lambda: self._used(replay, row))

    def _used(self, replay: Replay, row: Sequence[ir.Value]) -> ir.Value:
        """The sum, if any scale of the row is other than zero."""
        sums = {
            scale: tensor.ExtractOp(self.sums, [*row, build.index(number)]).result
            for number, scale in enumerate(self.scales)
        }
        zero = self._number(0.0)
        others = [arith.cmpf(arith.CmpFPredicate.UNE, value, zero) for value in sums.values()]
        return self._if(_any(others), lambda: self._total(replay, sums))

    def _total(self, replay: Replay, sums: dict[Factors, ir.Value]) -> ir.Value:
        """The numbers of the row, each times the sum of its scales."""
        parts: dict[Factors, ir.Value] = {}
        for (of_row, scale), number in self.terms.items():
            scaled = arith.mulf(sums[scale], self._number(number), fastmath=build.flags())
            before = parts.get(of_row)
            parts[of_row] = scaled if before is None else arith.addf(before, scaled, fastmath=build.any_order())
        total: ir.Value | None = None
        for of_row, value in parts.items():
            for factor in of_row:
                value = arith.mulf(value, replay.scalar(factor), fastmath=build.flags())
            total = value if total is None else arith.addf(total, value, fastmath=build.any_order())
        assert total is not None
        return total

    def _if(self, condition: ir.Value | None, emit: Callable[[], ir.Value]) -> ir.Value:
        if condition is None:
            return emit()
        branch = scf.IfOp(condition, [self.keyed.dest.type.element_type], has_else=True)
        with ir.InsertionPoint(branch.then_block):
            scf.YieldOp([emit()])
        with ir.InsertionPoint(branch.else_block):
            scf.YieldOp([self._number(0.0)])
        result: ir.Value = branch.results[0]
        return result

    def _number(self, value: float) -> ir.Value:
        return build.number(self.keyed.dest.type.element_type, value)


def _all(conditions: Sequence[ir.Value]) -> ir.Value | None:
    return _joined(conditions, arith.andi)


def _any(conditions: Sequence[ir.Value]) -> ir.Value | None:
    return _joined(conditions, arith.ori)


def _joined(conditions: Sequence[ir.Value], join: Callable[[ir.Value, ir.Value], ir.Value]) -> ir.Value | None:
    joined: ir.Value | None = None
    for condition in conditions:
        joined = condition if joined is None else join(joined, condition)
    return joined
