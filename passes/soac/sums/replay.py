"""One scalar of a loop nest computed again, elsewhere and for other indices.

A row that a loop hands to its body is an array and the places it is read at; it becomes a read of one element only
where a scalar is wanted. The elements of an inner map are computed by its body.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tapeless._mlir import ir, scf, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.build import is_array
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.ir.rows import row_at
from tapeless.passes.ir.scopes import is_defined_outside

SCALAR_DIALECTS = frozenset({"arith", "math"})
VIEWS = frozenset({"tensor.extract_slice", "soac.transpose", "soac.reverse", "tensor.cast"})


class CannotReplay(Exception):
    """The scalar depends on something that is not computed element by element."""


@dataclass(frozen=True)
class Row:
    """The row that some leading indices select of an array of the original nest."""

    array: ir.Value
    places: tuple[ir.Value, ...]


class Replay:
    """Writes scalars of a nest at the current insertion point; values from outside `nest` are used as they are."""

    def __init__(self, nest: ir.OpView, indices: Mapping[ir.Value, ir.Value]) -> None:
        self.nest = nest.operation
        self.scalars: dict[ir.Value, ir.Value] = dict(indices)
        self.rows: dict[ir.Value, Row] = {}

    def enter(self, loop: ir.OpView, index: ir.Value) -> None:
        """Binds the elements of one iteration of a map."""
        block = loop.regions[0].blocks[0]
        self.scalars[block.arguments[0]] = index
        for argument, array in zip(arguments_of(loop, "inputs"), loop.inputs, strict=True):
            self.rows[argument] = Row(array, (index,))

    def scalar(self, value: ir.Value) -> ir.Value:
        """The scalar in this iteration."""
        if is_defined_outside(value, self.nest):
            return value
        if value not in self.scalars:
            self.scalars[value] = self._computed(value)
        return self.scalars[value]

    def element(self, array: ir.Value, places: Sequence[ir.Value]) -> ir.Value:
        """One element of an array of the nest."""
        if (row := self.rows.get(array)) is not None:
            return self.element(row.array, [*row.places, *places])
        owner = None if isinstance(array, ir.BlockArgument) else array.owner
        if owner is not None and owner.operation.name == "soac.transpose":
            return self.element(owner.operands[0], _source_places(owner, places))
        if owner is not None and (owner.operation == self.nest or not is_defined_outside(array, self.nest)):
            if owner.operation.name == "tensor.splat":
                return self.scalar(owner.operands[0])
            if owner.operation.name == "soac.map":
                return self._element_of_map(owner, array.result_number, places)
        return tensor.ExtractOp(self._array(array), list(places)).result

    def _computed(self, value: ir.Value) -> ir.Value:
        if (row := self.rows.get(value)) is not None:
            return self.element(row.array, row.places)
        if isinstance(value, ir.BlockArgument):
            raise CannotReplay
        op = value.owner
        if op.operation.name == "tensor.extract":
            array, *places = op.operands
            return self.element(array, [self.scalar(place) for place in places])
        if op.operation.name == "scf.if":
            return self._chosen(op, ir.OpResult(value).result_number)
        if op.operation.name == "tensor.dim":
            return self._copy(op, [self._array(op.operands[0]), self.scalar(op.operands[1])])
        if op.operation.name.split(".")[0] not in SCALAR_DIALECTS or any(is_array(operand) for operand in op.operands):
            raise CannotReplay
        return self._copy(op, [self.scalar(operand) for operand in op.operands])

    def _chosen(self, op: ir.OpView, number: int) -> ir.Value:
        """A result of a branch; what is computed on one way is forgotten afterwards."""
        made = scf.IfOp(self.scalar(op.operands[0]), [op.results[number].type], has_else=True)
        outer_scalars, outer_rows = dict(self.scalars), dict(self.rows)
        for region, block in zip(op.regions, (made.then_block, made.else_block), strict=True):
            with ir.InsertionPoint(block):
                scf.YieldOp([self.scalar(terminator(region).operands[number])])
            self.scalars, self.rows = dict(outer_scalars), dict(outer_rows)
        return made.results[0]

    def _element_of_map(self, op: ir.OpView, number: int, places: Sequence[ir.Value]) -> ir.Value:
        """The results of a map's body at an index; the map's own values are forgotten afterwards."""
        outer_scalars, outer_rows = dict(self.scalars), dict(self.rows)
        self.enter(op, places[0])
        block = op.regions[0].blocks[0]
        yielded = block.operations[len(block.operations) - 1].operands[number]
        result = self.element(yielded, places[1:]) if is_array(yielded) else self.scalar(yielded)
        self.scalars, self.rows = outer_scalars, outer_rows
        return result

    def _array(self, value: ir.Value) -> ir.Value:
        """An array that can be named: one from outside, a row of such, or a view."""
        if is_defined_outside(value, self.nest):
            return value
        if (row := self.rows.get(value)) is not None:
            array = self._array(row.array)
            for place in row.places:
                array = row_at(array, place)
            return array
        if isinstance(value, ir.BlockArgument) or value.owner.operation.name not in VIEWS:
            raise CannotReplay
        op = value.owner
        operands = [self._array(each) if is_array(each) else self.scalar(each) for each in op.operands]
        return self._copy(op, operands)

    def _copy(self, op: ir.OpView, operands: Sequence[ir.Value]) -> ir.Value:
        copy = op.operation.clone()
        for number, operand in enumerate(operands):
            copy.operands[number] = operand
        return copy.results[0]


def _source_places(transposition: ir.OpView, places: Sequence[ir.Value]) -> list[ir.Value]:
    """Where an element of a transposed array lies in the array behind it."""
    axes = [axis.value for axis in transposition.attributes["permutation"]]
    return [places[axes.index(axis)] for axis in range(len(axes))]
