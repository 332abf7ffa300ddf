"""Modules of other producers brought into core IR, by the passes that their dialects ask for."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects.ad import verify_loop_hints
from tapeless.errors import PipelineError
from tapeless.passes.diagnostics import Diagnosed, Diagnostic, Place, place_of, reporting_to
from tapeless.passes.driver.pipeline import PassPipeline

CORE = ("ad", "arith", "builtin", "func", "math", "scf", "soac", "tensor")
"""The dialects of core IR."""

IMPORTS: dict[str, str] = {"stablehlo": "stablehlo-to-core", "chlo": "stablehlo-to-core"}
"""The pass that brings a dialect into core IR."""


def bring_into_core(module: ir.Module) -> None:
    """Runs the passes that a module needs; raises PipelineError at the first operation that has no translation."""
    needed = {IMPORTS[dialect] for dialect in _dialects(module) if dialect in IMPORTS}
    if not needed and any(map(_has_numbers_as_tensors, module.body.operations)):
        needed = {IMPORTS["stablehlo"]}
    passes = [name for name in dict.fromkeys(IMPORTS.values()) if name in needed]
    if passes:
        PassPipeline.of_elements(passes).run(module)
    for dialect, operation in _dialects(module).items():
        if dialect not in CORE:
            place = place_of(operation.location) or Place("<mlir>", 1, 1)
            known = ", ".join([*CORE, *IMPORTS])
            raise PipelineError(
                f"{place}: the operation '{operation.name}' has no translation to core IR; "
                f"give a module of the dialects {known}"
            )
    _check_hints(module)


def _has_numbers_as_tensors(operation: ir.OpView) -> bool:
    """Whether a function takes and gives tensors, some without axes: StableHLO's, though it has no operation of it."""
    if operation.operation.name != "func.func":
        return False
    types = ir.FunctionType(ir.TypeAttr(operation.attributes["function_type"]).value)
    given = [*types.inputs, *types.results]
    return all(isinstance(each, ir.RankedTensorType) for each in given) and any(each.rank == 0 for each in given)


def _check_hints(module: ir.Module) -> None:
    """Refuses attributes of loops that mean nothing."""
    reported: list[Diagnostic] = []

    def report(diagnostic: Diagnostic) -> bool:
        reported.append(diagnostic)
        return True

    with reporting_to(report, module.context):
        is_valid = verify_loop_hints(module)
    if not is_valid:
        raise Diagnosed(reported)


def _dialects(module: ir.Module) -> dict[str, ir.Operation]:
    """The dialects of a module, each with the first operation of it."""
    found: dict[str, ir.Operation] = {}

    def visit(operation: ir.Operation) -> ir.WalkResult:
        found.setdefault(operation.name.partition(".")[0], operation)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found
