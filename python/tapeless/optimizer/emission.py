"""Code in place of IR: the output of `tapeless-opt --emit`, and the options that its target sets."""

from __future__ import annotations

from collections.abc import Mapping

from tapeless._mlir import ir
from tapeless.backend.codegen.emission import emit, emitted_as
from tapeless.backend.codegen.llvm import Machine
from tapeless.backend.faults.explanation import CODE_GENERATOR
from tapeless.backend.saving.lowered import bundle
from tapeless.backend.saving.targets import machine_named
from tapeless.backend.targets import TARGETS
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import PipelineError, TapelessError
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.driver.faults.faults import internal_error

BUNDLE = "bundle"
"""A kernel with all that callers have to know, as `tapeless compile` writes it."""


@dataclass(frozen=True)
class TargetMachine:
    """The machine that code is for: one by its name, or else this very processor and GPU."""

    name: str | None = None

    def of_kind(self, kind: str) -> Machine | None:
        """The machine, if it is of a kind, `cpu` or `cuda`."""
        if self.name is None:
            return TARGETS[kind].machine()
        named, machine = machine_named(self.name)
        return machine if named == kind else None

    def settings(self, pipeline: str) -> Mapping[str, object]:
        """The options of a named pipeline's passes that the machine decides."""
        for target in TARGETS.values():
            if target.name in pipeline.split("-"):
                machine = self.of_kind(target.name)
                if machine is None:
                    raise PipelineError(f"the pipeline '{pipeline}' makes no code for {self.name}; give another target")
                return target.settings(machine)
        return {}


@dataclass(frozen=True)
class Emission:
    """The output format of the module that the passes leave, and its machine."""

    kind: str
    target: TargetMachine

    def code(self, module: ir.Module, file: str) -> bytes:
        """The code of a module from a file; one that is not so far, or is for another kind of machine, is refused."""
        found = emitted_as(module).target
        machine = self.target.of_kind(found)
        if machine is None:
            raise OpRefused(module.operation, f"has code for {found}, and the target is {self.target.name}")
        try:
            if self.kind == BUNDLE:
                return bundle(module, machine, self.target.name, file)
            return emit(module, self.kind, machine)
        except (TapelessError, MemoryError):
            raise
        except Exception as error:
            raise internal_error(CODE_GENERATOR, error, module) from error
