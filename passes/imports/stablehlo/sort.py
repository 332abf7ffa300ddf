"""The order that a comparator of `sort` defines, found by running it on a table of pairs.

JAX writes a dozen operations to put NaN last and to make -0 and 0 equal, PyTorch one comparison. An order that is
none of the known ones is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from tapeless._mlir import ir
from tapeless.passes.imports.emit.lazy import Value, shape_of
from tapeless.passes.imports.emit.sort import BITS, PLAIN, TOTAL, UNSIGNED, sort
from tapeless.passes.imports.stablehlo.attributes import enumerated, integer
from tapeless.passes.imports.stablehlo.resources import elements_of
from tapeless.passes.imports.stablehlo.translator import Rule, Translator, refuse

DTYPES: dict[str, Any] = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float32,
    "bf16": np.float32,
    "i64": np.int64,
    "i32": np.int32,
    "ui64": np.uint64,
    "ui32": np.uint32,
    "i1": np.bool_,
}
FLOATS = (-np.inf, -2.5, -1.0, -1e-30, -0.0, 0.0, 1e-30, 1.0, 2.5, np.inf, np.nan, -np.nan)
INTEGERS = (-(2**31), -7, -1, 0, 1, 7, 2**31 - 1)


class Key(NamedTuple):
    """An operand that is compared, the order of its numbers, and whether that goes down."""

    operand: int
    order: str
    descending: bool


def keys_of(op: ir.Operation) -> list[Key]:
    """By which operands a sort compares, the first one first."""
    region = op.regions[0]
    types = [str(operand.type.element_type) for operand in op.operands]
    for count in range(1, len(types) + 1):
        columns = _table(types, count)
        answers = _evaluate(op, region, columns)
        for order, descending in product((TOTAL, BITS, PLAIN), (False, True)):
            keys = [Key(k, order, descending) for k in range(count)]
            if _agrees(answers, columns, keys):
                return [key._replace(order=UNSIGNED) if types[key.operand][0] == "u" else key for key in keys]
    refuse(op, "has a comparator that is no known order; compare operands by LT or GT, the first one first")


def _table(types: Sequence[str], count: int) -> list[np.ndarray]:
    """Pairs of values for each operand: all pairs of the last one compared, beside equal and other pairs of others."""
    rng = np.random.default_rng(0)
    size = 4000
    columns: list[np.ndarray] = []
    for position, dtype in enumerate(types):
        values = np.array((False, True) if dtype == "i1" else FLOATS if dtype.lstrip("b")[0] == "f" else INTEGERS)
        values = values.astype(DTYPES[dtype])
        left = rng.choice(values, size)
        right = rng.choice(values, size)
        if position < count - 1:
            same = rng.random(size) < 0.6
            right = np.where(same, left, right).astype(left.dtype)
        columns += [left, right]
    return columns


def _agrees(answers: np.ndarray, columns: Sequence[np.ndarray], keys: Sequence[Key]) -> bool:
    wanted = np.zeros(len(answers), bool)
    settled = np.zeros(len(answers), bool)
    comparable = np.ones(len(answers), bool)
    for key in keys:
        left, right = columns[2 * key.operand], columns[2 * key.operand + 1]
        if key.order == PLAIN and left.dtype.kind == "f":
            comparable &= settled | ~(np.isnan(left) | np.isnan(right))
        a, b = (_ranked(each, key.order) for each in (left, right))
        first, second = (b, a) if key.descending else (a, b)
        wanted = np.where(settled, wanted, first < second)
        settled |= a != b
    return bool(np.all(answers[comparable] == wanted[comparable]))


def _ranked(values: np.ndarray, order: str) -> np.ndarray:
    """Numbers whose order is that of values."""
    if values.dtype.kind != "f" or order == PLAIN:
        return values
    if order == TOTAL:
        values = np.where(np.isnan(values), np.nan, np.where(values == 0, 0.0, values)).astype(values.dtype)
    return _in_order(values)


def _in_order(values: np.ndarray) -> np.ndarray:
    words: Any = np.ascontiguousarray(values).view(np.int64 if values.dtype == np.float64 else np.int32)
    turned = words ^ np.iinfo(words.dtype).max
    return np.asarray(np.where(words < 0, turned, words))


def _evaluate(op: ir.Operation, region: ir.Region, columns: Sequence[np.ndarray]) -> np.ndarray:
    """The answers of a comparator for pairs."""
    block = region.blocks[0]
    values: dict[ir.Value, np.ndarray] = dict(zip(block.arguments, columns, strict=True))
    operations = list(block.operations)
    for view in operations[:-1]:
        each = view.operation
        if each.name not in FUNCTIONS:
            refuse(each, "stands in a comparator, where it is not known; compare operands by LT or GT")
        for operand in each.operands:
            if operand not in values:
                values[operand] = _from_outside(op, operand)
        with np.errstate(all="ignore"):
            values[each.results[0]] = FUNCTIONS[each.name](each, *(values[operand] for operand in each.operands))
    answers = values[operations[-1].operands[0]]
    return np.broadcast_to(answers, columns[0].shape)


def _from_outside(op: ir.Operation, value: ir.Value) -> np.ndarray:
    """A constant that stands outside of the comparator, where producers may have only one of each."""
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.operation.name != "stablehlo.constant":
        refuse(op, "has a comparator that reads values from outside; compare operands by LT or GT")
    return _constant(owner.operation)


COMPARISONS: Mapping[str, Callable[..., np.ndarray]] = {
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
    "EQ": np.equal,
    "NE": np.not_equal,
}


def _compare(op: ir.Operation, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    if enumerated(op, "compare_type") == "TOTALORDER":
        left, right = (_in_order(np.asarray(each)) for each in (left, right))
    return COMPARISONS[enumerated(op, "comparison_direction")](left, right)


def _constant(op: ir.Operation) -> np.ndarray:
    type_ = op.results[0].type
    return np.array(elements_of(op)).reshape(type_.shape).astype(DTYPES[str(type_.element_type)])


def _convert(op: ir.Operation, value: np.ndarray) -> np.ndarray:
    return value.astype(DTYPES[str(op.results[0].type.element_type)])


def _bitcast(op: ir.Operation, value: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(value).view(DTYPES[str(op.results[0].type.element_type)])


FUNCTIONS: Mapping[str, Callable[..., np.ndarray]] = {
    "stablehlo.compare": _compare,
    "stablehlo.constant": _constant,
    "stablehlo.convert": _convert,
    "stablehlo.bitcast_convert": _bitcast,
    "stablehlo.select": lambda op, condition, left, right: np.asarray(np.where(condition, left, right)),
    "stablehlo.and": lambda op, left, right: left & right,
    "stablehlo.or": lambda op, left, right: left | right,
    "stablehlo.xor": lambda op, left, right: left ^ right,
    "stablehlo.not": lambda op, value: ~value,
    "stablehlo.subtract": lambda op, left, right: left - right,
    "stablehlo.negate": lambda op, value: -value,
    "stablehlo.abs": lambda op, value: np.abs(value),
    "stablehlo.broadcast_in_dim": lambda op, value: value,
    "stablehlo.reshape": lambda op, value: value,
}


Values = Sequence[Value]


def _sort(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    rank = len(shape_of(operands[0]))
    return list(sort(operands, integer(op, "dimension", -1) % rank, keys_of(op)))


RULES: dict[str, Rule] = {"stablehlo.sort": Rule(_sort)}
