"""Running the steps of a pipeline on a module."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing

from tapeless._mlir import func, ir
from tapeless.errors import PipelineError, TapelessError
from tapeless.passes.diagnostics import Diagnostic, PassFailed, UpstreamFailed, diagnostics_of, reporting_to
from tapeless.passes.driver.base import Upstream
from tapeless.passes.driver.contents import Contents
from tapeless.passes.driver.faults.faults import internal_error, is_interruption
from tapeless.passes.driver.inner import watched
from tapeless.passes.driver.steps import FUNCTION, Instrument, Step, groups_of, upstream_text
from tapeless.passes.driver.upstream import parse_manager


def run_steps(
    steps: Iterator[Step], module: ir.Module, *, verify_each: bool, instruments: Sequence[Instrument]
) -> None:
    """Runs steps in order: upstream neighbours together, or every step by itself if instruments watch."""
    contents = Contents(module)
    if not instruments:
        for group in groups_of(steps):
            _run_group(group, contents, verify_each)
        return
    for step in steps:
        with watched(step, module, instruments):
            _run_group((step,), contents, verify_each)


def _run_group(group: Sequence[Step], contents: Contents, verify_each: bool) -> None:
    if contents.leave_idle(group):
        return
    changed = None
    if isinstance(group[0].run, Upstream):
        _run_upstream(group, contents.module, verify_each)
    else:
        changed = _run_python(group[0], contents.module, verify_each)
    contents.note(group[-1], changed)


def _summary(group: Sequence[Step]) -> str:
    names = ", ".join(f"'{step.name}'" for step in group)
    return f"pass {names} failed" if len(group) == 1 else f"one of the passes {names} failed"


def _run_upstream(group: Sequence[Step], module: ir.Module, verify_each: bool) -> None:
    manager = parse_manager(upstream_text(group), module.context)
    manager.enable_verifier(verify_each)
    try:
        manager.run(module.operation)
    except ir.MLIRError as error:
        raise UpstreamFailed(diagnostics_of(error), _summary(group)) from error


def _run_python(step: Step, module: ir.Module, verify_each: bool) -> bool | None:
    """Runs a Python pass; whether it changed the module, where it says so."""
    with module.context, ir.Location.unknown():
        if step.anchor != FUNCTION:
            return _run_on(step, module, verify_each)
        with closing(isolated_functions(module)) as functions:
            for alone in functions:
                _run_on(step, alone, verify_each)
                _check_module_unchanged(step, alone, module)
        if verify_each:
            _verify(step, module)
        return None


def _verify(step: Step, module: ir.Module) -> None:
    try:
        module.operation.verify()
    except ir.MLIRError as error:
        raise internal_error(f"pass '{step.name}', which left IR that does not verify", error, module) from error


def _check_module_unchanged(step: Step, alone: ir.Module, module: ir.Module) -> None:
    """A pass that runs on one function at a time cannot set attributes of the module: they would be lost."""
    if dict(alone.operation.attributes.items()) != dict(module.operation.attributes.items()):
        reason = f"pass '{step.name}' sets attributes of the module; run it outside of '{FUNCTION}(...)'"
        raise PassFailed([Diagnostic("error", reason)])


def _run_on(step: Step, module: ir.Module, verify_each: bool) -> bool | None:
    """Runs a Python pass; it fails by raising, or by reporting errors on locations."""
    reported: list[Diagnostic] = []
    with reporting_to(lambda diagnostic: _keep_error(diagnostic, reported), module.context):
        changed = _call(step, module, reported)
    if reported:
        raise PassFailed(reported, _summary([step]))
    if verify_each:
        _verify(step, module)
    return changed


def _call(step: Step, module: ir.Module, reported: Sequence[Diagnostic]) -> bool | None:
    """Calls a Python pass; errors a user can do something about keep their class, all others become InternalError."""
    assert not isinstance(step.run, Upstream)
    try:
        return step.run.run(module)
    except PipelineError as error:
        raise PassFailed([*reported, *diagnostics_of(error)], _summary([step])) from error
    except (TapelessError, MemoryError):
        raise
    except Exception as error:
        if is_interruption(error):
            raise KeyboardInterrupt from None
        raise internal_error(f"pass '{step.name}'", error, module) from error


def _keep_error(diagnostic: Diagnostic, reported: list[Diagnostic]) -> bool:
    is_error = diagnostic.severity == "error"
    if is_error:
        reported.append(diagnostic)
    return is_error


def isolated_functions(module: ir.Module) -> Generator[ir.Module, None, None]:
    """For every function with a body, a module with that function and declarations of the others.

    What the consumer leaves in that module, functions added by it included, takes the function's place when the
    consumer asks for the next one or closes the generator. The declarations go away, so a pass sees and changes one
    function only.
    """
    functions = [op for op in module.body.operations if isinstance(op, func.FuncOp) and not op.is_external]
    for function in functions:
        place = ir.InsertionPoint(function)
        marker = ir.Operation.create("builtin.module", regions=1, loc=function.location, ip=place)
        marker.regions[0].blocks.append()
        alone = _module_of(function, module)
        try:
            yield alone
        finally:
            _move_back(alone, marker)


def _module_of(function: func.FuncOp, module: ir.Module) -> ir.Module:
    alone = ir.Module.create(module.operation.location)
    for name, attribute in module.operation.attributes.items():
        alone.operation.attributes[name] = attribute
    for other in module.body.operations:
        if isinstance(other, func.FuncOp) and other != function:
            alone.body.append(_declaration(other))
    alone.body.append(function)
    return alone


def _declaration(function: func.FuncOp) -> ir.Operation:
    attributes = dict(function.operation.attributes.items())
    attributes["sym_visibility"] = ir.StringAttr.get("private")
    return ir.Operation.create("func.func", attributes=attributes, regions=1, loc=function.location)


def _move_back(alone: ir.Module, marker: ir.Operation) -> None:
    for op in list(alone.body.operations):
        if not (isinstance(op, func.FuncOp) and op.is_external):
            op.operation.move_before(marker)
    marker.erase()
