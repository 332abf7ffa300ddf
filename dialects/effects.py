"""Effects of operations: traits that differ in when generic passes may drop or move an operation.

`ext.Pure` promises that running an operation is always safe, so that loop-invariant code motion may run it even where
the program would not have. Operations that read arrays at computed places cannot promise that: hoisted out of a loop
with no iterations they would read out of range.
"""

from __future__ import annotations

from collections.abc import Set

from tapeless._mlir import ir

EFFECTFUL_BODY_OPS = frozenset({"soac.assert", "func.call", "ad.vjp", "ad.jvp"})


def is_or_holds(op: ir.OpView, names: Set[str]) -> bool:
    """Whether an operation, or one inside of it, has one of these names."""
    found = False

    def visit(inner: ir.Operation) -> ir.WalkResult:
        nonlocal found
        found = inner.name in names
        return ir.WalkResult.INTERRUPT if found else ir.WalkResult.ADVANCE

    op.operation.walk(visit)
    return found


class NoEffect:
    """May be dropped when unused and merged with its equals, but runs only where the program runs it."""

    class _Effects(ir.MemoryEffectsOpInterface):
        @staticmethod
        def get_effects(op: ir.OpView, effects: ir.MemoryEffectInstancesList) -> None:
            pass

    @staticmethod
    def attach(op_name: str) -> None:
        NoEffect._Effects.attach(op_name)


class EffectOfBody:
    """As `NoEffect` unless the body holds a run-time check or a call, which must not be lost."""

    class _Effects(ir.MemoryEffectsOpInterface):
        @staticmethod
        def get_effects(op: ir.OpView, effects: ir.MemoryEffectInstancesList) -> None:
            if is_or_holds(op, EFFECTFUL_BODY_OPS):
                effects.append(ir.MemoryEffect.Write)

    @staticmethod
    def attach(op_name: str) -> None:
        EffectOfBody._Effects.attach(op_name)
