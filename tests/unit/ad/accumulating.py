"""What derivatives hold beyond plain programs, for the reference interpreter: accumulators, and rarer operations."""

from __future__ import annotations

from typing import Any

import numpy as np

import core_interpreter
from core_interpreter import Environment, Interpreter, groups
from tapeless._mlir import ir


def with_acc(run: Interpreter, op: ir.Operation, operands: list[Any], values: Environment) -> list[Any]:
    """Accumulators are copies of the destinations that updates write to."""
    return run.block(op.regions[0].blocks[0], [np.array(dest) for dest in operands], values)


def update(run: Interpreter, op: ir.Operation, operands: list[Any], values: Environment) -> list[Any]:
    """Adds in place; places outside are ignored unless the operation promises that there are none."""
    acc, *indices, value = operands
    inside = all(0 <= index < size for index, size in zip(indices, acc.shape, strict=False))
    assert inside or "soac.in_bounds" not in op.attributes, f"{op.name} at {indices} of {acc.shape} ({op.location})"
    if inside:
        acc[tuple(indices)] += value
    return [acc]


def map_with_accumulators(run: Interpreter, op: ir.Operation, operands: list[Any], values: Environment) -> list[Any]:
    """Iterations in turn hand the accumulators on."""
    [width], inputs, accs = groups(op, operands)
    if not accs:
        return core_interpreter._map(run, op, operands, values)
    core_interpreter._check_width(op, width, inputs)
    block, count = op.regions[0].blocks[0], len(op.results) - len(accs)
    rows = []
    for i in range(width):
        made = run.block(block, [np.int64(i), *(array[i] for array in inputs), *accs], values)
        rows.append(made[:count])
        accs = made[count:]
    if rows:
        return [*(np.stack([np.asarray(row[k]) for row in rows]) for k in range(count)), *accs]
    zeros = [np.zeros(array.shape[1:], array.dtype)[()] for array in inputs]
    shapes = _shapes_without_iterations(run, op, [np.int64(0), *zeros, *(np.array(acc) for acc in accs)], values)
    kinds = [core_interpreter.dtype_of(result.type) for result in list(op.results)[:count]]
    return [*(np.zeros((0, *shape), kind) for shape, kind in zip(shapes, kinds, strict=False)), *accs]


def _shapes_without_iterations(
    run: Interpreter, op: ir.Operation, arguments: list[Any], values: Environment
) -> list[tuple[int, ...]]:
    try:
        return [np.shape(row) for row in run.block(op.regions[0].blocks[0], arguments, values)]
    except AssertionError:
        return [
            core_interpreter._least_shape(result.type)
            for result in op.results
            if isinstance(result.type, ir.RankedTensorType)
        ]


def _trigamma(x: float) -> float:
    total = 0.0
    while x < 10:
        total += 1 / x**2
        x += 1
    return total + 1 / x + 1 / (2 * x**2) + 1 / (6 * x**3) - 1 / (30 * x**5) + 1 / (42 * x**7) - 1 / (30 * x**9)


STRUCTURED = {"soac.with_acc": with_acc, "soac.update": update, "soac.map": map_with_accumulators}
OPERATIONS = {
    "arith.minui": lambda op, a, b: min(int(a) % 2**64, int(b) % 2**64),
    "arith.maxui": lambda op, a, b: max(int(a) % 2**64, int(b) % 2**64),
    "arith.maxnumf": lambda op, a, b: np.fmax(a, b),
    "arith.minnumf": lambda op, a, b: np.fmin(a, b),
}
NAMED_FUNCTIONS = {"trigamma": _trigamma}
