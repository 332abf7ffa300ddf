"""A map as several maps, each around one inner operator at most: loops distributed over the statements of a body."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.ir import build
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.rebuild import Values, as_type, copy_op
from tapeless.passes.ir.regions.slots import slots_of
from tapeless.passes.ir.scopes import outer_values
from tapeless.passes.ir.sizes.shapes import size_of
from tapeless.passes.ir.sizes.sizes import can_write
from tapeless.passes.soac.spread.stages import Stages
from tapeless.passes.soac.spread.unfuse import unfused
from tapeless.passes.soac.spread.weights import is_acc, is_wide, reduces_reductions


class CannotSpread(Exception):
    """Raised when a value to store has a size of its own in every iteration."""


def distribute(op: ir.OpView, is_inner: bool = False) -> bool:
    """Replaces a map by maps around its statements, after the operators in it were replaced in this way.

    ```mlir
    %y = "soac.map"(%n) ({                            %a = "soac.map"(%n) ({ map over k: f })
      %a = map over k: f                              %s = "soac.map"(%n) ({ reduction of the row of %a })
      %s = reduction of %a                            %y = "soac.map"(%n) ({ map over k: g })
      map over k: g(%s)
    ```
    Says whether anything changed. Inside of two maps, whose threads are enough, a reduction of reductions stays as it
    is, with what is made of its numbers: nothing is kept for it. Rows beside it that take no operations, such as parts
    of other arrays, are left to those who read them.
    """
    changed = False
    for inner in list(op.regions[0].blocks[0].operations):
        if is_wide(inner, op.operation) and not (is_inner and reduces_reductions(inner)):
            elements = unfused(inner) if inner.operation.name == "soac.fused" else inner
            if elements is not None:
                changed |= elements is not inner
                changed |= distribute(elements, is_inner=True)
    stages = Stages.of(op)
    if is_inner and stages.is_one_reduction and not stages.makes_simple_rows:
        return changed
    if is_inner and stages.is_one_reduction:
        return Cut(op, stages).write() or changed
    return (stages.is_wide and Cut(op, stages).write()) or changed


class Cut:
    """Writes one map for each stage before the map that they replace."""

    def __init__(self, op: ir.OpView, stages: Stages) -> None:
        self.op, self.stages, self.loop = op, stages, Loop.seen_as(op)
        self.arrays: Values = dict(zip(self.loop.elements, self.loop.inputs, strict=False))
        self.accs = list(self.loop.accs)

    def write(self) -> bool:
        """All stages, then maps for results that none of them makes; nothing if there is but one."""
        yielded = self.loop.lifted()[: len(self.loop.mapped)]
        stored = self.stages.stored.union(self.arrays)
        left = [value for value in dict.fromkeys(yielded) if value not in stored]
        if len(self.stages.groups) == 1 and not left:
            return False
        with self.op.location, ir.InsertionPoint(self.op):
            for group in self.stages.groups:
                self._stage(group, self.stages.outgoing(group))
            for values in _by_maker(left):
                self._stage([], values)
        for result, value in zip(self.loop.mapped, yielded, strict=True):
            result.replace_all_uses_with(as_type(self.arrays[value], result.type, self.op))
        for result, acc in zip(self.loop.acc_results, self.accs, strict=True):
            result.replace_all_uses_with(acc)
        self.op.operation.erase()
        return True

    def _stage(self, statements: Sequence[ir.OpView], wanted: Sequence[ir.Value]) -> None:
        """A map that makes the wanted values, which are arrays from then on, and hands on accumulators."""
        copied = self.stages.repeated_for(statements, wanted)
        made = {result for op in copied for result in op.results}
        used = list(dict.fromkeys(value for op in copied for value in outer_values(op) if value not in made))
        used += [value for value in wanted if value not in made and value not in used]
        rows = [value for value in used if value in self.arrays]
        slots = list(dict.fromkeys(self._slot(value) for value in used if is_acc(value)))
        results = [value for value in wanted if not is_acc(value)]
        self._check_sizes(results)

        def body(index: ir.Value, elements: build.Rows, accs: build.Rows) -> tuple[list[ir.Value], list[ir.Value]]:
            values: Values = {self.loop.body.arguments[0]: index, **dict(zip(rows, elements, strict=True))}
            latest = dict(zip(slots, accs, strict=True))
            values.update((value, latest[self._slot(value)]) for value in used if is_acc(value))
            for op in copied:
                copy_op(op, values)
                latest.update((self._slot(value), values[value]) for value in op.results if is_acc(value))
            return [values.get(value, value) for value in results], [latest[slot] for slot in slots]

        inputs = [self.arrays[value] for value in rows]
        arrays, accs = build.map_(self.loop.width, inputs, [self.accs[slot] for slot in slots], body)
        self.arrays.update(zip(results, arrays, strict=True))
        for slot, acc in zip(slots, accs, strict=True):
            self.accs[slot] = acc

    def _check_sizes(self, values: Sequence[ir.Value]) -> None:
        """Whatever is kept for every iteration must have the same sizes in all of them."""
        before = ir.InsertionPoint(self.op)
        for value in values:
            axes = range(value.type.rank) if build.is_array(value) else range(0)
            if not all(can_write(size_of(value, axis), before) for axis in axes):
                raise CannotSpread

    def _slot(self, value: ir.Value) -> int:
        """The number of the accumulator of the map that a value in its body is."""
        arguments = self.loop.elements[len(self.loop.inputs) :]
        while value not in arguments:
            value = handed_in(value)
        return arguments.index(value)


def _by_maker(values: Sequence[ir.Value]) -> list[list[ir.Value]]:
    """Rows apart by the operators that make them, each a grid of threads of its own, and all numbers together."""
    makers: dict[ir.Operation | None, list[ir.Value]] = {}
    for value in values:
        is_row = isinstance(value, ir.OpResult) and build.is_array(value)
        makers.setdefault(value.owner.operation if is_row else None, []).append(value)
    return list(makers.values())


def handed_in(acc: ir.Value) -> ir.Value:
    """The accumulator that an operation turned into this one."""
    if isinstance(acc, ir.BlockArgument):
        op = acc.owner.owner
    else:
        op = acc.owner
        if op.operation.name == "soac.update":
            return op.operands[0]
    slot = next(slot for slot in slots_of(op) if acc in slot.targets(op))
    return slot.sources(op)[0]
