"""`rev-invert`: the inverses that calls ask for, as procedures of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tapeless._mlir import func, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import rev
from tapeless.errors import PipelineError
from tapeless.passes.rev.blocks import procedures
from tapeless.passes.rev.inversion.inverse import invert_bodies

SUFFIX, RUN = ".inv", ".run"


@dataclass(frozen=True)
class Invert:
    """Adds the inverse `@f.inv` of every procedure that is called with `inv`, and calls that one.

    ```mlir
    "rev.call"(%x, %y) {callee = @move, inv = true} : (memref<f64>, memref<f64>) -> ()
    ```
    becomes
    ```mlir
    "rev.call"(%x, %y) {callee = @move.inv, inv = false} : (memref<f64>, memref<f64>) -> ()
    ```
    An inverse has the statements of its procedure in reverse order, each replaced by the one that undoes it; the
    inverse of an inverse is the procedure itself. `procedures` names further ones that get theirs, and so do
    declarations `@f.inv.run`. Blocks must be normal (`rev-normalise`).
    """

    name: ClassVar[str] = "rev-invert"
    procedures: tuple[str, ...] = ()

    def run(self, module: ir.Module) -> None:
        known = {op.procedure_name: op for op in procedures(module)}
        waiting = list(known.values())
        for name in (*self.procedures, *_declared_inverses(module, known)):
            if name not in known:
                raise PipelineError(f"rev-invert is to invert '{name}', which is no rev.func; name one of the module's")
            waiting.append(_add_inverse(known, name))
        while waiting:
            for call in _inverse_calls(waiting.pop().operation, known):
                called = inverse_name(call.callee.value)
                if called not in known:
                    waiting.append(_add_inverse(known, call.callee.value))
                call.attributes["callee"] = ir.FlatSymbolRefAttr.get(called, module.context)
                call.attributes["inv"] = ir.BoolAttr.get(False, module.context)


def _declared_inverses(module: ir.Module, known: dict[str, ir.OpView]) -> list[str]:
    """The procedures whose inverses functions declare, to call their lowered forms."""
    declared = [op.name.value for op in module.body.operations if isinstance(op, func.FuncOp) and op.is_external]
    wanted = [name.removesuffix(RUN) for name in declared if name.endswith(SUFFIX + RUN)]
    return [inverse_name(name) for name in wanted if name not in known and inverse_name(name) in known]


def inverse_name(name: str) -> str:
    """The name of the inverse of a procedure."""
    return name.removesuffix(SUFFIX) if name.endswith(SUFFIX) else name + SUFFIX


def _add_inverse(known: dict[str, ir.OpView], name: str) -> ir.OpView:
    """A copy of a procedure behind it, inverted."""
    if inverse_name(name) in known:
        return known[inverse_name(name)]
    made = known[name].operation.clone(ir.InsertionPoint.after(known[name])).opview
    made.attributes["sym_name"] = ir.StringAttr.get(inverse_name(name), made.context)
    invert_bodies(made)
    known[inverse_name(name)] = made
    return made


def _inverse_calls(op: ir.Operation, known: dict[str, ir.OpView]) -> Iterator[ir.OpView]:
    """The calls with `inv` below an operation; primitives name their inverses themselves."""
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                if isinstance(inner, rev.CallOp) and inner.inv.value and inner.callee.value in known:
                    yield inner
                yield from _inverse_calls(inner.operation, known)
