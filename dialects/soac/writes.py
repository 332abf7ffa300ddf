"""Operators that write at computed places: `soac.hist`, `soac.scatter`, and accumulators."""

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects.array_types import is_array, leading_sizes_agree, same_up_to_leading_size, slice_type
from tapeless.dialects.effects import EffectOfBody, NoEffect
from tapeless.dialects.regions import argument_problems, terminator, yield_problems
from tapeless.dialects.soac.accumulators import order_problems
from tapeless.dialects.soac.checks import (
    array_problems,
    body_block_problems,
    combine_problems,
    neutral_problems,
    rows_of,
    types_of,
    width_problems,
)
from tapeless.dialects.soac.dialect import AccType, Operation
from tapeless.dialects.verification import Problems, types_text


class HistOp(Operation, name="hist", traits=[EffectOfBody]):
    """`result[k] = dest[k] op (the values whose key is k, in order)`; keys outside `dest` are ignored.

    ```mlir
    %h = "soac.hist"(%n, %keys, %dest, %values, %zero) ({
    ^bb0(%a: f64, %b: f64):
      %sum = arith.addf %a, %b : f64
      "soac.yield"(%sum) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}
      : (index, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
    ```
    """

    width: ext.Operand[ir.IndexType]
    keys: ext.Operand[Any]
    dests: Sequence[ext.Operand[Any]]
    values: Sequence[ext.Operand[Any]]
    neutral: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    combine: ext.Region

    def problems(self) -> Problems:
        dests, values = types_of(self.dests), types_of(self.values)
        if not dests:
            yield "has no dests; give at least one array to write into"
        yield from array_problems("a dest", dests)
        if not leading_sizes_agree(dests):
            yield f"has dests {types_text(dests)} with different numbers of bins; make the sizes of axis 0 equal"
        yield from array_problems("values", values)
        yield from _key_problems(self.keys.type)
        yield from width_problems([self.keys.type, *values])
        rows = rows_of(dests)
        if rows_of(values) != rows:
            yield f"has values {types_text(values)} for dests {types_text(dests)}; make their rows equal"
        yield from neutral_problems(types_of(self.neutral), rows)
        outs = types_of(self.outs)
        if outs != dests:
            yield f"has results {types_text(outs)}; make them the types of the dests {types_text(dests)}"
        yield from combine_problems("combine", self.combine, rows)


class ScatterOp(Operation, name="scatter", traits=[NoEffect]):
    """`dest` with `result[keys[i]] = values[i]`; keys outside are ignored, duplicate keys carry equal values.

    ```mlir
    %r = "soac.scatter"(%n, %dest, %keys, %values)
      : (index, tensor<?xf64>, tensor<?xi64>, tensor<?xf64>) -> tensor<?xf64>
    ```
    """

    width: ext.Operand[ir.IndexType]
    dest: ext.Operand[Any]
    keys: ext.Operand[Any]
    values: ext.Operand[Any]
    out: ext.Result[Any]

    def problems(self) -> Problems:
        dest, keys, values = types_of((self.dest, self.keys, self.values))
        yield from array_problems("dest", [dest])
        yield from array_problems("values", [values])
        yield from _key_problems(keys)
        yield from width_problems([keys, values])
        if rows_of([values]) != rows_of([dest]):
            yield f"has values {values} for dest {dest}; make their rows equal"
        if self.out.type != dest:
            yield f"has result {self.out.type}; make it the type of dest {dest}"


class WithAccOp(Operation, name="with_acc", traits=[EffectOfBody]):
    """Turns arrays into accumulators for the duration of the body; results are the summed arrays, then extra values.

    ```mlir
    %sum = "soac.with_acc"(%dest) ({
    ^bb0(%acc: !soac.acc<tensor<?xf64>>):
      %next = "soac.update"(%acc, %n, %c) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%next) : (!soac.acc<tensor<?xf64>>) -> ()
    }) : (tensor<?xf64>) -> tensor<?xf64>
    ```
    The body yields every accumulator in order, then the extra values.
    """

    dests: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    body: ext.Region

    def problems(self) -> Problems:
        dests, outs = types_of(self.dests), types_of(self.outs)
        yield from array_problems("a dest", dests)
        if outs[: len(dests)] != dests:
            yield f"has results {types_text(outs)}; begin them with the types of its dests {types_text(dests)}"
        accs = [AccType.get(type_, context=self.context) for type_ in dests]
        yield from body_block_problems("body", self.body)
        yield from argument_problems("body", self.body, accs, "one accumulator per dest")
        yielded = [*accs, *outs[len(dests) :]]
        yield from yield_problems("body", self.body, yielded, "the accumulators, then the extra results")
        block = self.body.blocks[0]
        yield from order_problems(list(block.arguments), list(terminator(self.body).operands)[: len(dests)])


class UpdateOp(Operation, name="update"):
    """Adds a value at an index of an accumulator; indices outside are ignored.

    ```mlir
    %next = "soac.update"(%acc, %n, %c) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
    ```
    The value is a scalar when every axis is indexed, else a trailing slice; without indices it is a whole array.
    """

    acc: ext.Operand[Any]
    indices: Sequence[ext.Operand[ir.IndexType]]
    value: ext.Operand[Any]
    out: ext.Result[Any]

    def problems(self) -> Problems:
        acc = self.acc.type
        if not isinstance(acc, AccType):
            yield f"has acc of type {acc}; give a !soac.acc"
        if not is_array(acc.tensor):
            yield f"has an accumulator over {acc.tensor}; make it one over a ranked tensor of rank 1 or more"
        if len(self.indices) > acc.tensor.rank:
            yield f"has {len(self.indices)} indices into {acc.tensor}; give at most {acc.tensor.rank}"
        wanted = slice_type(acc.tensor, len(self.indices))
        if not _fits(self.value.type, wanted):
            yield f"adds a value of type {self.value.type}; with {len(self.indices)} indices give {wanted}"
        if self.out.type != acc:
            yield f"has result {self.out.type}; make it the type of acc {acc}"


def _fits(value: ir.Type, wanted: ir.Type) -> bool:
    return value == wanted or (is_array(value) and is_array(wanted) and same_up_to_leading_size(value, wanted))


def _key_problems(keys: ir.Type) -> Problems:
    if not (is_array(keys) and keys.rank == 1 and isinstance(keys.element_type, ir.IntegerType | ir.IndexType)):
        yield f"has keys of type {keys}; give a rank-1 tensor of integers"
