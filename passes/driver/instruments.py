"""Instruments that watch the passes of a pipeline run."""

from __future__ import annotations

from typing import Protocol

from tapeless._mlir import ir
from tapeless.passes.driver.steps import Step


class Instrument(Protocol):
    """Called around every pass; with instruments, passes run one by one instead of in groups.

    Also called around the passes that a pass runs itself, whose steps say what they are `within`; what these leave need
    not verify.
    """

    def before(self, step: Step, module: ir.Module) -> None:
        """Called before a pass."""

    def after(self, step: Step, module: ir.Module) -> None:
        """Called after a pass that succeeded and left verified IR."""

    def failed(self, step: Step, module: ir.Module) -> None:
        """Called after a pass that failed; the module may not verify."""
