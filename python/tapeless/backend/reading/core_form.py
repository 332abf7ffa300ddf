"""Modules of other producers brought into core IR, by the passes that their dialects ask for."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects.ad import verify_loop_hints
from tapeless.errors import PipelineError
from tapeless.passes.diagnostics import (
    Diagnosed,
    Diagnostic,
    PassFailed,
    Place,
    UpstreamFailed,
    place_of,
    reporting_to,
)
from tapeless.passes.driver.pipeline import PassPipeline
from tapeless.passes.imports.linalg.number_rules import write_out
from tapeless.passes.imports.linalg.to_core import RULES
from tapeless.passes.soac.core_only import IMPORTED, LINALG, OF_OTHERS, STABLEHLO

CORE = ("ad", "arith", "builtin", "func", "math", "scf", "soac", "tensor")
"""The dialects of core IR."""

WHOLE = ("ad", "builtin", "func", "soac")
"""The dialects that core IR has as a whole; of the others it has what the rules for linalg give."""

ENDS = frozenset({"scf.condition", "scf.yield"})

WITHOUT_LOWERING = frozenset({"scf.execute_region", "scf.index_switch", "tensor.rank"})
"""Operations that simplification removes where it can, and that `linalg-to-core` always does."""

GIVE_KNOWN = f"give a module of the dialects {', '.join([*CORE, *IMPORTED])}"


def bring_into_core(module: ir.Module) -> None:
    """Runs the passes that a module needs; raises PipelineError at the first operation that has no translation."""
    dialects = _dialects(module)
    needed = {IMPORTED[dialect] for dialect in dialects if dialect in IMPORTED}
    only_hands_on = set(dialects) <= {"builtin", "func"}
    if not needed and (_has_tensor_code(module) or (only_hands_on and _has_elements_of_others(module))):
        needed = {STABLEHLO if only_hands_on else LINALG}
    passes = [name for name in dict.fromkeys(IMPORTED.values()) if name in needed]
    if passes:
        _run(passes, module)
    write_out(module)
    for dialect, operation in _dialects(module).items():
        if dialect not in CORE:
            place = place_of(operation.location) or Place("<mlir>", 1, 1)
            if dialect == "complex":
                raise PipelineError(
                    f"{place}: the operation '{operation.name}' is one on complex numbers; compute with real and "
                    "imaginary parts"
                )
            raise PipelineError(
                f"{place}: the operation '{operation.name}' has no translation to core IR; {GIVE_KNOWN}"
            )
    _check_operations(module)
    _check_hints(module)


def _check_operations(module: ir.Module) -> None:
    """Refuses the first operation of a dialect of core IR that no pass after these has a meaning for."""
    found: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name in RULES or op.name in ENDS or op.name.partition(".")[0] in WHOLE:
            return ir.WalkResult.ADVANCE
        found.append(op)
        return ir.WalkResult.INTERRUPT

    module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    if found:
        place = place_of(found[0].location) or Place("<mlir>", 1, 1)
        message = (
            f"'{found[0].name}' op has no translation to core IR; compute this part otherwise, or outside of the module"
        )
        raise Diagnosed([Diagnostic("error", message, place)])


def _run(passes: list[str], module: ir.Module) -> None:
    """Runs passes; a refusal is told by its place alone, for nobody asked for a pass by name."""
    try:
        PassPipeline.of_elements(passes).run(module)
    except UpstreamFailed:
        raise
    except PassFailed as error:
        raise Diagnosed(error.diagnostics) from error


def _has_tensor_code(module: ir.Module) -> bool:
    """Whether a module has operations on tensors that core IR has not: some by name, arithmetic, those without axes."""
    found = False

    def visit(operation: ir.Operation) -> ir.WalkResult:
        nonlocal found
        tensors = [each.type for each in operation.results if isinstance(each.type, ir.RankedTensorType)]
        is_arithmetic = bool(tensors) and operation.name.startswith(("arith.", "math.")) and bool(operation.operands)
        is_other = operation.name in OF_OTHERS or operation.name in WITHOUT_LOWERING
        found = is_other or is_arithmetic or any(each.rank == 0 for each in tensors)
        if operation.name == "func.func":
            found = any(each.rank == 0 for each in _given_and_made(operation))
        return ir.WalkResult.INTERRUPT if found else ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found


def _has_elements_of_others(module: ir.Module) -> bool:
    """Whether functions take or give arrays of elements that StableHLO has and core IR has not."""
    functions = [each.operation for each in module.body.operations if each.operation.name == "func.func"]
    elements = [each.element_type for function in functions for each in _given_and_made(function)]
    halves = (ir.F16Type, ir.BF16Type)
    return any(isinstance(each, halves) or (isinstance(each, ir.IntegerType) and each.is_unsigned) for each in elements)


def _given_and_made(function: ir.Operation) -> list[ir.RankedTensorType]:
    """The tensors among the types of a function's arguments and results."""
    signature = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
    return [each for each in (*signature.inputs, *signature.results) if isinstance(each, ir.RankedTensorType)]


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
