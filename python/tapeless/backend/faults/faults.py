"""Faults of passes and of the code generator become errors that ask for a report."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from tapeless._mlir import ir
from tapeless.errors import FrontendError, InternalError, TapelessError
from tapeless.passes.diagnostics import PassFailed, UpstreamFailed
from tapeless.passes.driver.faults.faults import is_interruption, message_of
from tapeless.passes.driver.pipeline import PassPipeline

R = TypeVar("R")


def explaining_faults(work: Callable[[], R], module: ir.Module, pipeline: PassPipeline) -> R:
    """Runs a pipeline on a module and more; unexpected exceptions become an InternalError.

    The module is copied first, which takes far less time than any pass, to find the pass at fault from the start.
    """
    before = module.operation.clone()
    try:
        return work()
    except MemoryError:
        raise
    except Exception as error:
        if isinstance(error, PassFailed) and _is_in_the_source(error):
            raise FrontendError("\n".join(each.render() for each in error.diagnostics)) from error
        if is_for_the_user(error):
            raise
        if is_interruption(error):
            raise KeyboardInterrupt from None
        fault = error
    explained = explain(fault, before, module, pipeline)
    raise explained from explained.__cause__


def _is_in_the_source(error: PassFailed) -> bool:
    """Whether a pass refuses a place in the source: its reader needs the place, not the name of the pass."""
    return not isinstance(error, UpstreamFailed) and all(each.place is not None for each in error.diagnostics)


def is_for_the_user(error: Exception) -> bool:
    """Whether an error has a remedy for its reader; passes of MLIR that failed were chosen here, not by the user."""
    return isinstance(error, TapelessError) and not isinstance(error, (InternalError, UpstreamFailed))


def explain(fault: Exception, before: ir.OpView, module: ir.Module, pipeline: PassPipeline) -> InternalError:
    """The error for a fault; the search for its cause is loaded only now, and may itself stumble over damaged IR."""
    from tapeless.backend.faults.explanation import explanation

    try:
        return explanation(fault, before, module, pipeline)
    except Exception:
        made = fault if isinstance(fault, InternalError) else InternalError(f"internal error: {message_of(fault)}")
        made.__cause__ = fault.__cause__ if made is fault else fault
        return made
