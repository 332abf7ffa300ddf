"""Running the steps of a pipeline on a module."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing

from tapeless.passes.base import Pass
from tapeless.passes.diagnostics import Diagnostic, PassFailed, place_of
from tapeless.passes.instruments import Instrument
from tapeless.passes.isolation import isolated_functions
from tapeless.passes.steps import FUNCTION, Step, groups_of, upstream_text
from tapeless.passes.upstream import Upstream, parse_manager

from tapeless._mlir import ir
from tapeless.errors import TapelessError


def run_steps(
    steps: Iterator[Step], module: ir.Module, *, verify_each: bool, instruments: Sequence[Instrument]
) -> None:
    """Runs steps in order: upstream neighbours together, or every step by itself if instruments watch."""
    if not instruments:
        for group in groups_of(steps):
            _run_group(group, module, verify_each)
        return
    for step in steps:
        _run_watched(step, module, verify_each, instruments)


def _run_watched(step: Step, module: ir.Module, verify_each: bool, instruments: Sequence[Instrument]) -> None:
    for instrument in instruments:
        instrument.before(step, module)
    try:
        _run_group((step,), module, verify_each)
    except PassFailed:
        for instrument in reversed(instruments):
            instrument.failed(step, module)
        raise
    for instrument in reversed(instruments):
        instrument.after(step, module)


def _run_group(group: Sequence[Step], module: ir.Module, verify_each: bool) -> None:
    try:
        if isinstance(group[0].run, Upstream):
            _run_upstream(group, module, verify_each)
        else:
            _run_python(group[0].run, group[0].anchor, module, verify_each)
    except ir.MLIRError as error:
        names = ", ".join(f"'{step.name}'" for step in group)
        reported = [Diagnostic.of(info) for info in error.error_diagnostics]
        noun = "pass" if len(group) == 1 else "one of the passes"
        raise PassFailed([*reported, Diagnostic("error", f"{noun} {names} failed")]) from error


def _run_upstream(group: Sequence[Step], module: ir.Module, verify_each: bool) -> None:
    manager = parse_manager(upstream_text(group), module.context)
    manager.enable_verifier(verify_each)
    manager.run(module.operation)


def _run_python(run: Pass, anchor: str, module: ir.Module, verify_each: bool) -> None:
    with module.context, ir.Location.unknown():
        if anchor != FUNCTION:
            _run_on(run, module, verify_each)
            return
        with closing(isolated_functions(module)) as functions:
            for alone in functions:
                _run_on(run, alone, verify_each)


def _run_on(run: Pass, module: ir.Module, verify_each: bool) -> None:
    try:
        run.run(module)
    except ir.MLIRError:
        raise
    except Exception as error:
        raise PassFailed([_explain(run, error)]) from error
    if verify_each:
        module.operation.verify()


def _explain(run: Pass, error: Exception) -> Diagnostic:
    """An exception as a diagnostic: errors of Tapeless speak for themselves, others name the pass."""
    location = getattr(error, "location", None)
    place = place_of(location) if isinstance(location, ir.Location) else None
    if isinstance(error, TapelessError):
        return Diagnostic("error", str(error), place)
    return Diagnostic("error", f"pass '{run.name}' raised {type(error).__name__}: {error}", place)
