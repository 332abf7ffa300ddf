"""Computations and pure regions, with reads of cells replaced by the values they hold."""

from __future__ import annotations

from tapeless._mlir import ir, tensor
from tapeless.dialects.regions import terminator
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.rev.checks.aliasing import require_apart
from tapeless.passes.rev.to_core.fixed import value_of
from tapeless.passes.rev.to_core.state import State, Target

READS_TARGET = "a statement reads what it changes"


def run_pure(state: State, region: ir.Region, *targets: Target) -> list[ir.Value]:
    """Emits a pure region; gives its yielded values. It must not read targets."""
    inner = state.copy(targets)
    block = region.blocks[0]
    for op in list(block.operations)[:-1]:
        compute(inner, op)
    return inner.mapped(terminator(region).operands)


def compute(state: State, op: ir.OpView) -> None:
    """Emits one computation and takes note of its results."""
    name = op.operation.name
    if name == "rev.view":
        return
    if name in READS:
        state.values[op.operation.results[0]] = READS[name](state, op)
        return
    made = op.operation.clone()
    _rename(state, made)
    state.values.update(zip(op.operation.results, made.results, strict=True))


def _rename(state: State, op: ir.Operation) -> None:
    """Replaces operands, also of operations inside, by their new values, and reads inside by values."""
    if "fastmath" in op.attributes:
        # Both directions must round in the same way, whatever stands around.
        op.attributes["fastmath"] = ir.Attribute.parse("#arith.fastmath<none>")
    for number, operand in enumerate(list(op.operands)):
        if operand in state.values:
            op.operands[number] = state.values[operand]
    for region in op.regions:
        for block in region.blocks:
            for inner in list(block.operations):
                if inner.operation.name == "rev.view":
                    raise OpRefused(inner, "stands inside of an operator; put it in front of that")
                if inner.operation.name in READS:
                    with ir.InsertionPoint(inner), inner.location:
                        inner.operation.results[0].replace_all_uses_with(READS[inner.operation.name](state, inner))
                    inner.operation.erase()
                else:
                    _rename(state, inner.operation)


def _load(state: State, op: ir.OpView) -> ir.Value:
    cell, *indices = op.operation.operands
    for target in state.targets:
        places = (cell, indices), (target.cell, target.indices)
        require_apart(target.statement, *places, READS_TARGET, state.translate)
    return value_of(state, cell, indices)


def _size(state: State, op: ir.OpView) -> ir.Value:
    held = state.sized(op.operation.operands[0])
    return tensor.DimOp(held, state.mapped([op.operation.operands[1]])[0]).result


READS = {"memref.load": _load, "rev.read": _load, "memref.dim": _size}
