"""How long each part of a compilation takes: the frontend, every pass, LLVM and the linker."""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import ir
from tapeless.backend.compile import CompileOptions
from tapeless.backend.faults.faults import explaining_faults
from tapeless.passes.driver.timing import Timer


def timing_report(emit: Callable[[], ir.Module], options: CompileOptions, *, as_list: bool = False) -> str:
    """Compiles the module of `emit` and gives a table of wall times, in order, or summed by name and sorted."""
    timer = Timer()
    with timer.measure("Frontend"):
        module = emit()
    explaining_faults(lambda: _compile(module, options, timer), module, options.pipeline)
    return timer.report(as_list)


def _compile(module: ir.Module, options: CompileOptions, timer: Timer) -> None:
    options.pipeline.run(module, verify_each=False, instruments=(timer,))
    options.target.timed(module, options.machine, timer.measure)
