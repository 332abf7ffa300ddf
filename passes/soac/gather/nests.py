"""Nests of maps, one per axis, around scalar code: elementwise computations on arrays of one shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from tapeless._mlir import ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.constants import filling_of
from tapeless.passes.ir.costs import CHEAP
from tapeless.passes.ir.rebuild import copy_op
from tapeless.passes.ir.scopes import is_defined_outside, owner_block

# What an element may cost that is computed again for every slice that it is added to; signs become part of sums.
CHEAP_LIMIT = 4
SIGN = "arith.negf"

Recipe: TypeAlias = tuple[list[ir.Value], list[ir.OpView]]
"""Elements that scalar code begins with, and the operations that follow, in order."""


@dataclass(frozen=True)
class ElementNest:
    """The scalar code that makes the elements of arrays, from elements of others."""

    outer: ir.OpView
    body: ir.Block
    inputs: dict[ir.Value, ir.Value]
    results: dict[ir.Value, ir.Value]
    result: ir.Value

    @staticmethod
    def of(array: ir.Value, *, is_alone: bool = True) -> ElementNest | None:
        """The nest that makes an array, if all of its axes are maps with nothing beside them.

        `inputs` has the array for each argument of the scalar code, `results` for each value it gives; of several the
        first, and `result` is what it gives for this one. Unless it `is_alone`, other operations may stand beside the
        loops, which may also reduce something: the elements of this array are what matters then.
        """
        if not _is_loop(array, is_alone):
            return None
        op = array.owner
        inputs = _elements(op, list(op.inputs))
        made = list(zip(op.results, _yielded(op, op.results), strict=True))
        for _ in range(array.type.rank - 1):
            inner = made[array.result_number][1]
            block = op.regions[0].blocks[0]
            if not _is_loop(inner, is_alone) or owner_block(inner) != block:
                return None
            op = inner.owner
            if (is_alone and len(block.operations) != 2) or any(row not in inputs for row in op.inputs):
                return None
            inputs = _elements(op, [inputs[row] for row in op.inputs])
            made = [(result, _yielded(op, [value])[0] if _is_of(value, op) else None) for result, value in made]
        first = {value: result for result, value in reversed(made) if value is not None}
        return ElementNest(array.owner, op.regions[0].blocks[0], inputs, first, made[array.result_number][1])

    def total(self) -> ir.OpView | None:
        """The addition that is all the nest does, to elements of its two inputs."""
        if isinstance(self.result, ir.BlockArgument) or len(self.body.operations) != 2:
            return None
        op = self.result.owner
        is_sum = op.operation.name == "arith.addf" and all(operand in self.inputs for operand in op.operands)
        return op if is_sum else None

    def recipe(self, most_sources: int = 1) -> Recipe | None:
        """How the element is next to free: from elements of few arrays, which the nest reads or makes as well.

        From one array, if possible; several are all read.
        """
        if self.result in self.inputs:
            return [self.result], []
        return (
            self._made_from(set(self.inputs))
            or self._made_from({*self.inputs, *self.results} - {self.result})
            or self._made_from(set(self.inputs), most_sources)
        )

    def _made_from(self, known: set[ir.Value], most_sources: int = 1) -> Recipe | None:
        """How the element is made of a few of these, if that is cheap."""
        sources: dict[ir.Value, None] = {}
        needed: set[ir.Value] = set()
        pending = [self.result]
        while pending:
            value = pending.pop()
            if value in known:
                sources[value] = None
            elif not is_defined_outside(value, self.outer.operation):
                if isinstance(value, ir.BlockArgument) or value.owner.operation.name not in CHEAP:
                    return None
                needed.add(value)
                pending += value.owner.operands
        operations = [op for op in self.body.operations if len(op.results) and op.results[0] in needed]
        if not 1 <= len(sources) <= most_sources or sum(op.operation.name != SIGN for op in operations) > CHEAP_LIMIT:
            return None
        return list(sources), operations


def _elements(op: ir.OpView, arrays: Sequence[ir.Value]) -> dict[ir.Value, ir.Value]:
    """The array behind each argument of a map's body that is a row or element."""
    arguments = list(op.regions[0].blocks[0].arguments)
    return dict(zip(arguments[1 : 1 + len(arrays)], arrays, strict=True))


def _yielded(op: ir.OpView, results: Sequence[ir.Value]) -> list[ir.Value]:
    values = op.regions[0].blocks[0].operations[-1].operands
    return [values[result.result_number] for result in results]


def _is_loop(value: ir.Value, is_alone: bool) -> bool:
    """Whether a value is a result of a map for every iteration, or else that of a fused reduction."""
    if isinstance(value, ir.BlockArgument):
        return False
    op = value.owner
    if op.operation.name == "soac.map":
        return not len(op.accs)
    if is_alone or op.operation.name != "soac.fused":
        return False
    return value.result_number >= len(op.reduce_neutral) + len(op.scan_neutral)


def _is_of(value: ir.Value | None, op: ir.OpView) -> bool:
    return isinstance(value, ir.OpResult) and value.owner.operation == op.operation


def element_of(array: ir.Value, indices: Sequence[ir.Value], most_sources: int = 1) -> ir.Value:
    """An element at the insertion point: read, or recomputed from its operands when that is cheap."""
    value = filling_of(array)
    if value is not None:
        return value
    nest = ElementNest.of(array, is_alone=False)
    if nest is None:
        return tensor.ExtractOp(array, list(indices)).result
    recipe = nest.recipe(most_sources)
    if recipe is None:
        return tensor.ExtractOp(nest.results[nest.result], list(indices)).result
    sources, operations = recipe
    values = {}
    for source in sources:
        behind = nest.inputs[source] if source in nest.inputs else nest.results[source]
        values[source] = element_of(behind, indices, most_sources if len(sources) == 1 else 1)
    for op in operations:
        copy_op(op, values)
    return values[nest.result]
