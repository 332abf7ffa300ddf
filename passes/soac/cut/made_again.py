"""Values that the return sweep computes from rows, computed where these are stored."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.build import cast_to, map_
from tapeless.passes.ir.places.slices import slice_fields
from tapeless.passes.ir.rebuild import Values, copy_op
from tapeless.passes.ir.rows import slice_of
from tapeless.passes.ir.scopes import is_defined_outside, outer_values
from tapeless.passes.soac.cut.choose import Choice
from tapeless.passes.soac.cut.histories import READS, Return, is_whole_row
from tapeless.passes.soac.cut.nests import MapNest


@dataclass
class MadeAgain:
    """Values of the way back as values of the loop that ran before, made at the insertion point where it has none."""

    back: ir.OpView
    numbers: dict[ir.Value, int]
    nests: list[MapNest]
    known: Values
    rows: list[ir.Value]
    own: dict[int, ir.Value]

    @staticmethod
    def of(pair: Return, choice: Choice) -> MadeAgain:
        """The empty state: rows are the stored values, and the loop has values of its own."""
        stored = {history.rows: history.stored for history in pair.histories}
        known = {pair.row: pair.position, **stored}
        return MadeAgain(pair.back, choice.back.of, choice.back.nests, known, list(stored), choice.own)

    def value(self, number: int) -> ir.Value:
        """The value of a number."""
        if number in self.own:
            return self.own[number]
        bodies = {nest.body: nest for nest in self.nests}
        values = [value for value, each in self.numbers.items() if each == number and isinstance(value, ir.OpResult)]
        outside = [value for value in values if value.owner.operation.block not in bodies]
        return self._made(outside[0]) if outside else self._elements(bodies[values[0].owner.operation.block], values[0])

    def _made(self, value: ir.Value) -> ir.Value:
        """A value of the body of the way back, or one from outside."""
        if value not in self.known:
            self.known[value] = self._make(value)
        return self.known[value]

    def _make(self, value: ir.Value) -> ir.Value:
        if is_defined_outside(value, self.back.operation):
            return value
        if (own := self.own.get(self.numbers[value])) is not None:
            return cast_to(value.type, own)
        op = value.owner
        nest = next((each for each in self.nests if each.levels[0].operation == op.operation), None)
        if nest is not None:
            return cast_to(value.type, self._elements(nest, dict(nest.made())[value]))
        for needed in outer_values(op):
            self._made(needed)
        values = dict(self.known)
        self._copy(op, values)
        return values[value]

    def _copy(self, op: ir.OpView, values: Values) -> None:
        """Copies an operation; its reads of a row become the value that was stored there."""
        if op.operation.name not in READS or op.operands[0] not in self.rows:
            copy_op(op, values)
        elif is_whole_row(op):
            values[op.results[0]] = cast_to(op.results[0].type, values[op.operands[0]])
        elif op.operation.name == "tensor.extract":
            _, _, *indices = [values.get(operand, operand) for operand in op.operands]
            values[op.results[0]] = tensor.ExtractOp(values[op.operands[0]], indices).result
        else:
            offsets, sizes, strides = (
                [each if isinstance(each, int) else values.get(each, each) for each in group[1:]]
                for group in slice_fields(op)
            )
            values[op.results[0]] = slice_of(values[op.operands[0]], offsets, sizes, strides, op.results[0].type)

    def _elements(self, nest: MapNest, wanted: ir.Value) -> ir.Value:
        """The array of a value of the innermost body of a nest, by a nest that computes nothing else."""
        computing = _slice_of(nest.body, wanted)
        needed = {wanted, *(value for op in computing for value in outer_values(op))}
        inputs: list[list[int]] = []
        for level in reversed(nest.levels):
            arguments = list(level.regions[0].blocks[0].arguments)[1 : 1 + len(level.inputs)]
            inputs.insert(0, [k for k, argument in enumerate(arguments) if argument in needed])
            needed |= {level.inputs[k] for k in inputs[0]} | {level.operands[0]}
        inside = {value for level in nest.levels for value in level.regions[0].blocks[0].arguments}
        inside |= {value for op in nest.body.operations for value in op.results}
        values = {value: self._made(value) for value in needed if value not in inside}

        def array(depth: int) -> ir.Value:
            level = nest.levels[depth]
            block = level.regions[0].blocks[0]
            given = [level.inputs[k] for k in inputs[depth]]

            def body(index: ir.Value, elements: Sequence[ir.Value], _: object) -> tuple[list[ir.Value], list[ir.Value]]:
                values[block.arguments[0]] = index
                values.update(zip((block.arguments[1 + k] for k in inputs[depth]), elements, strict=True))
                if depth + 1 < len(nest.levels):
                    return [array(depth + 1)], []
                for op in computing:
                    self._copy(op, values)
                return [values[wanted]], []

            made, _ = map_(values[level.operands[0]], [values[each] for each in given], [], body)
            return made[0]

        return array(0)


def _slice_of(block: ir.Block, wanted: ir.Value) -> list[ir.OpView]:
    """The operations of a block that a value is computed by, in order."""
    needed = {wanted}
    found: list[ir.OpView] = []
    for op in reversed(list(block.operations)[:-1]):
        if any(result in needed for result in op.results):
            found.insert(0, op)
            needed.update(outer_values(op))
    return found
