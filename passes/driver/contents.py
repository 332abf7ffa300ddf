"""Summarises a module, so that passes without work are skipped."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.base import Upstream
from tapeless.passes.driver.steps import Step

# What code on numbers consists of, beside the arithmetic: nothing here is an array, a loop or a call.
ON_NUMBERS = frozenset(
    {
        *("builtin.module", "func.func", "func.return", "scf.if", "scf.yield"),
        *("soac.fn", "soac.guard", "soac.assert", "soac.report"),
    }
)
ARITHMETIC = ("arith.", "math.")
SHAPED = (ir.RankedTensorType, ir.UnrankedTensorType, ir.MemRefType)


@dataclass
class Contents:
    """Whether a module has numbers alone, and which passes would leave it as it is, until a pass changes it."""

    module: ir.Module
    _has_numbers_alone: bool | None = None
    _done: tuple[str, ...] = ()

    def leave_idle(self, group: Sequence[Step]) -> bool:
        """Whether steps have nothing to do for the contents of the module."""
        if all(map(self._is_done, group)):
            return True
        if not all(getattr(step.run, "skips_numbers", False) for step in group):
            return False
        if self._has_numbers_alone is None:
            self._has_numbers_alone = has_numbers_alone(self.module)
        return self._has_numbers_alone

    def _is_done(self, step: Step) -> bool:
        """Whether a pass, with the options that it has by default, was repeated until it changed nothing."""
        is_plain = not step.run.options if isinstance(step.run, Upstream) else step.run == type(step.run)()
        return step.name in self._done and is_plain

    def note(self, step: Step, changed: bool | None) -> None:
        """After a pass has run, which may have said that it changed nothing."""
        if changed is False:
            return
        self._has_numbers_alone = None
        self._done = getattr(step.run, "leaves_done", ()) if not step.anchors else ()


def has_numbers_alone(module: ir.Module) -> bool:
    """Whether a module consists of functions from numbers to numbers without loops and calls.

    The walk ends with the first operation that is something else.
    """
    is_other = False

    def visit(op: ir.Operation) -> ir.WalkResult:
        nonlocal is_other
        name = op.name
        is_other = not (name.startswith(ARITHMETIC) or name in ON_NUMBERS) or (name == "func.func" and _has_arrays(op))
        return ir.WalkResult.INTERRUPT if is_other else ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    return not is_other


def _has_arrays(function: ir.Operation) -> bool:
    """Whether arrays go into a function or come out of it."""
    type_ = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
    return any(isinstance(each, SHAPED) for each in (*type_.inputs, *type_.results))
