"""The message for a fault of a pass or of the code generator: which pass, and a file that reproduces it."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.backend.faults.reproducers import keep_reproducer
from tapeless.errors import InternalError
from tapeless.passes.driver.assembly import bytecode
from tapeless.passes.driver.faults.culprit import Culprit, find_culprit
from tapeless.passes.driver.faults.faults import internal_error, with_reproducer
from tapeless.passes.driver.faults.reproducer import Reproducer, reproducer_text
from tapeless.passes.driver.pipeline import PassPipeline

CODE_GENERATOR = "the code generator"


def explanation(error: Exception, before: ir.OpView, module: ir.Module, pipeline: PassPipeline) -> InternalError:
    """The error for a fault, with the pass that caused it if it can be found."""
    with module.context:
        culprit = find_culprit(_copy(before), pipeline) or _after_passes(error, _copy(before), module, pipeline)
    path = keep_reproducer(culprit.reproducer)
    return culprit.error if path is None else with_reproducer(culprit.error, path)


def _after_passes(error: Exception, before: ir.Module, module: ir.Module, pipeline: PassPipeline) -> Culprit:
    """The fault after the passes; also of a pass, if it does not show twice."""
    if isinstance(error, InternalError):
        made = error
    else:
        made = internal_error(CODE_GENERATOR, error, module)
        made.__cause__ = error
    return Culprit(made, reproducer_text(before, Reproducer(str(pipeline), generate_code=True)))


def _copy(before: ir.OpView) -> ir.Module:
    return ir.Module.parse(bytecode(before.operation), before.context)
