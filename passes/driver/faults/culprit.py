"""The pass behind a fault: the pipeline is run again, one verified pass at a time, until something goes wrong."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import InternalError
from tapeless.passes.diagnostics import UpstreamFailed
from tapeless.passes.driver.faults.faults import internal_error
from tapeless.passes.driver.faults.reproducer import Reproducer, reproducer_text
from tapeless.passes.driver.options import print_step
from tapeless.passes.driver.pipeline import PassPipeline
from tapeless.passes.driver.steps import MODULE, Step


@dataclass(frozen=True)
class Culprit:
    """The fault of one pass, and the text that reproduces it: the module before that pass."""

    error: InternalError
    reproducer: str


@dataclass
class _LastPass:
    """An instrument that keeps the module as it was before the pass that runs, with that pass as its pipeline."""

    name: str = ""
    text: str = ""

    def before(self, step: Step, module: ir.Module) -> None:
        """Keeps the module, unless the pass is a part of another one."""
        if not step.within:
            self.name = step.name
            self.text = reproducer_text(module, Reproducer(f"{MODULE}({print_step(step)})"))

    def after(self, step: Step, module: ir.Module) -> None:
        """Nothing to keep."""

    failed = after


def find_culprit(module: ir.Module, pipeline: PassPipeline) -> Culprit | None:
    """Runs a pipeline on a module; None if it succeeds, because the fault lies after it or does not show again."""
    last = _LastPass()
    try:
        pipeline.run(module, verify_each=True, instruments=(last,))
    except InternalError as error:
        return Culprit(error, last.text)
    except UpstreamFailed as error:
        cause = error.__cause__
        assert isinstance(cause, ir.MLIRError)
        made = internal_error(f"pass '{last.name}'", cause, module)
        made.__cause__ = cause
        return Culprit(made, last.text)
    return None
