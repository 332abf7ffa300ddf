"""Programs of the collection as core IR, taken through any passes, and interpreted."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

import core_interpreter
from programs import PROGRAMS
from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.api.parameters import signature_types
from tapeless.frontend import Source, emit
from tapeless.passes.driver.pipeline import PassPipeline


def arguments_of(name: str) -> tuple[Any, ...]:
    """The arguments that every test gives a program."""
    return PROGRAMS[name].arguments(np.random.default_rng(7))


def after(name: str, passes: str) -> ir.Module:
    """The core IR of a program after some passes, verified after each."""
    source = Source.of(PROGRAMS[name].function)
    module = emit(source, signature_types(source.name, source.parameters, arguments_of(name)), shared_context()).module
    PassPipeline.parse(f"builtin.module({passes})").run(module)
    return module


def interpret(module: ir.Module, name: str) -> list[Any]:
    """What a program computes, operation by operation."""
    arguments = arguments_of(name)
    wanted = [argument.type for argument in module.body.operations[0].arguments]
    return core_interpreter.run(module, name, *map(_converted, arguments, wanted))


def _converted(argument: Any, kind: ir.Type) -> Any:
    return np.asarray(argument, dtype=core_interpreter.dtype_of(kind))


def count_ops(module: ir.Module) -> Counter[str]:
    """How often each operation occurs, in all regions."""
    counts: Counter[str] = Counter()

    def visit(op: ir.Operation) -> ir.WalkResult:
        counts[op.name] += 1
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return counts


def run_fused(run: Any, op: ir.Operation, operands: list[Any], values: dict[ir.Value, Any]) -> list[Any]:
    """`soac.fused`, which fusion makes and the interpreter need not know: lift, then reduce, scan and stack."""
    [width], inputs, state, prefix = core_interpreter.groups(op, operands)
    lift, reduce, scan = op.regions
    reduced, scanned = len(state), len(prefix)
    rows: list[list[Any]] = []
    for i in range(width):
        lifted = run.block(lift.blocks[0], [np.int64(i), *(array[i] for array in inputs)], values)
        if reduced:
            state = run.block(reduce.blocks[0], [*state, *lifted[:reduced]], values)
        element = lifted[reduced : reduced + scanned]
        if scanned:
            prefix = run.block(scan.blocks[0], [*prefix, *element], values)
        rows.append([*prefix, *lifted[reduced + scanned :]])
    if rows:
        return [*state, *(np.stack(column) for column in zip(*rows, strict=True))]
    sample = [np.zeros(array.shape[1:], array.dtype)[()] for array in inputs]
    shapes = map(np.shape, run.block(lift.blocks[0], [np.int64(0), *sample], values)[reduced:])
    types = [core_interpreter.dtype_of(result.type) for result in list(op.results)[reduced:]]
    return [*state, *(np.zeros((0, *shape), dtype) for shape, dtype in zip(shapes, types, strict=True))]
