"""Everything that can be asked of one run of the optimizer."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

from tapeless.dataclasses_on_use import dataclass
from tapeless.optimizer.emission import Emission
from tapeless.passes.driver.assembly import PLAIN, AssemblyStyle
from tapeless.passes.driver.ir_printer import NOTHING, IRPrinter, Selection
from tapeless.passes.driver.pipeline import EMPTY, PassPipeline


@dataclass(frozen=True)
class Printing:
    """Which IR to print between passes."""

    before: Selection = NOTHING
    after: Selection = NOTHING
    only_on_change: bool = False
    only_on_failure: bool = False
    module_scope: bool = False
    tree: Path | None = None

    @property
    def is_wanted(self) -> bool:
        """Whether anything is printed at all."""
        return bool(self.before or self.after or self.only_on_failure)

    def printer(self, stream: TextIO, style: AssemblyStyle) -> IRPrinter:
        """The instrument that prints."""
        return IRPrinter(
            stream,
            before_passes=self.before,
            after_passes=self.after,
            only_on_change=self.only_on_change,
            only_on_failure=self.only_on_failure,
            module_scope=self.module_scope,
            tree=self.tree,
            style=style,
        )


SILENT = Printing()


@dataclass(frozen=True)
class Settings:
    """One field per thing that `tapeless-opt` can be told."""

    pipeline: PassPipeline = EMPTY
    run_reproducer: bool = False
    split_marker: str | None = None
    verify_each: bool = True
    verify_diagnostics: bool = False
    only_expected: bool = False
    verify_roundtrip: bool = False
    implicit_module: bool = True
    allow_unregistered: bool = False
    emit_bytecode: bool = False
    emission: Emission | None = None
    style: AssemblyStyle = PLAIN
    printing: Printing = SILENT
    timing: bool = False
    timing_as_list: bool = False
    reproducer: Path | None = None
    local_reproducer: bool = False
    debug: bool = False
