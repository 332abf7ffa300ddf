"""Passes that a pass runs itself, where it must repeat or choose: whoever watches the pipeline sees them, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from tapeless._mlir import ir, passmanager
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.base import FunctionPass, Pass, Upstream
from tapeless.passes.driver.steps import Instrument, Step, upstream_text

CLEANING = (Upstream("canonicalize"), Upstream("cse"))


@dataclass(frozen=True)
class Watch:
    """The step that runs, on which module, and its instruments."""

    step: Step
    module: ir.Module
    instruments: Sequence[Instrument]

    def inner_step(self, run: Pass | Upstream, target: ir.Operation | None = None) -> Step:
        """The step for a pass that the current one runs."""
        return Step(run, self.step.anchors, (*self.step.within, self.step.name), target)


_current: ContextVar[Watch | None] = ContextVar("current step", default=None)


@contextmanager
def watched(step: Step, module: ir.Module, instruments: Sequence[Instrument]) -> Iterator[None]:
    """Reports a step, and the steps inside of it, to instruments."""
    for instrument in instruments:
        instrument.before(step, module)
    outer = _current.set(Watch(step, module, instruments))
    try:
        yield
    except Exception:
        for instrument in reversed(instruments):
            instrument.failed(step, module)
        raise
    finally:
        _current.reset(outer)
    for instrument in reversed(instruments):
        instrument.after(step, module)


def run_inner(pass_: Pass, module: ir.Module) -> bool:
    """Runs a pass inside of another one; whether it says that it changed anything."""
    watch = _current.get()
    if watch is None:
        return bool(pass_.run(module))
    with watched(watch.inner_step(pass_), module, watch.instruments):
        return bool(pass_.run(module))


def run_inner_on(pass_: FunctionPass, function: ir.OpView) -> bool:
    """Runs a pass inside of another one on a single function."""
    watch = _current.get()
    if watch is None:
        return bool(pass_.run_on(function))
    with watched(watch.inner_step(pass_, function.operation), watch.module, watch.instruments):
        return bool(pass_.run_on(function))


def run_inner_upstream(passes: Sequence[Upstream], module: ir.Module) -> None:
    """Runs passes of MLIR inside of another one, together if nothing watches; that one verifies the result."""
    watch = _current.get()
    if watch is None:
        _run_upstream([Step(each) for each in passes], module)
        return
    for step in map(watch.inner_step, passes):
        with watched(step, module, watch.instruments):
            _run_upstream([Step(step.run)], module)


def _run_upstream(steps: Sequence[Step], module: ir.Module) -> None:
    manager = passmanager.PassManager.parse(upstream_text(steps), context=module.context)
    manager.enable_verifier(False)
    manager.run(module.operation)


def clean_up(module: ir.Module) -> None:
    """Folds constants and merges equal operations in the whole module; handles of operations are stale afterwards."""
    run_inner_upstream(CLEANING, module)
