"""From core IR to a compiled kernel, or to the text of any stage on the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import NamedTuple

from tapeless._mlir import ir
from tapeless.abi import ATTRIBUTE, SITES_ATTRIBUTE, Abi, Site, sites_from_json
from tapeless.backend.codegen.llvm import Machine
from tapeless.backend.faults.faults import explaining_faults
from tapeless.backend.targets import CPU, Target
from tapeless.computed_once import computed_once
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ArgumentError
from tapeless.passes.driver.pipeline import PassPipeline
from tapeless.passes.driver.renamed import current_name
from tapeless.passes.driver.steps import Step, steps_of
from tapeless.passes.lower.llvm.entry import ENTRY_SUFFIX
from tapeless.runtime.code import CompiledCode
from tapeless.targets import check_denormals

# Other names for "after this pass", the last of a stage.
STAGES = {"ad": "ad-expand", "fuse": "soac-write-in-place", "loops": "lower-loops"}
# What LLVM's code generator reads: what the last pass leaves.
LAST_STAGE = "llvm"


@dataclass(frozen=True)
class CompileOptions:
    """A user's options for the passes and the code generator."""

    threads: int = 1
    checks: bool = True
    fastmath_flags: tuple[str, ...] | None = None
    deterministic: bool = True
    machine: Machine = field(default_factory=CPU.machine)
    target: Target = CPU
    fallback: bool = True
    status: bool = False
    flush_denormals: bool = False
    recipes: bool = True

    @computed_once
    def pipeline(self) -> PassPipeline:
        """The passes from core IR to the llvm dialect; fast-math flags go to the program and to its derivatives."""
        given: dict[str, object] = {} if self.fastmath_flags is None else {"flags": self.fastmath_flags}
        if self.flush_denormals:
            check_denormals(True, self.target.name)
            given["flush_denormals"] = True
        if not self.recipes and self.target.has_recipes:
            given["recipes"] = False
        return PassPipeline.named(
            self.target.pipeline,
            threads=self.threads,
            checks=self.checks,
            deterministic=self.deterministic,
            fallback=self.fallback,
            status=self.status,
            **self.target.settings(self.machine),
            **given,
        )


def compile_module(module: ir.Module, options: CompileOptions) -> CompiledCode:
    """Compiles the kernel of a module of core IR, which is changed to the llvm dialect."""

    def work() -> CompiledCode:
        lower(module, options)
        return generate(module, options.machine, options.target)

    return explaining_faults(work, module, options.pipeline)


def generate(module: ir.Module, machine: Machine | None = None, target: Target = CPU) -> CompiledCode:
    """Code for the kernel of a module that went through all passes, for this machine unless another is given."""
    contract = contract_of(module)
    image = target.generate(module, machine or target.machine())
    return CompiledCode(contract.entry, image, contract.abi, contract.sites)


class Contract(NamedTuple):
    """How the kernel of a module is called: the name of its entry, its parameters and results, where it can fail."""

    entry: str
    abi: Abi
    sites: tuple[Site, ...]


def contract_of(module: ir.Module) -> Contract:
    """The contract of a kernel that the passes have written into its module."""
    with module.context:
        kernel = kernel_of(module)
        sites = module.operation.attributes
        return Contract(
            entry=ir.StringAttr(kernel.attributes["sym_name"]).value + ENTRY_SUFFIX,
            abi=Abi.from_json(ir.StringAttr(kernel.attributes[ATTRIBUTE]).value),
            sites=sites_from_json(ir.StringAttr(sites[SITES_ATTRIBUTE]).value) if SITES_ATTRIBUTE in sites else (),
        )


def lower(module: ir.Module, options: CompileOptions) -> None:
    """Runs every pass."""
    options.pipeline.run(module, verify_each=False)


def kernel_of(module: ir.Module) -> ir.Operation:
    """The function that carries the calling contract."""
    return next(op.operation for op in module.body if ATTRIBUTE in op.operation.attributes)


def assembly(module: ir.Module, options: CompileOptions) -> str:
    """The assembly text of the code that `compile_module` makes of a module of core IR."""

    def work() -> str:
        lower(module, options)
        return options.target.assembly(module, options.machine)

    return explaining_faults(work, module, options.pipeline)


@dataclass
class StageText:
    """Keeps the text of the module after the last run of one pass."""

    wanted: str
    text: str | None = None

    def before(self, step: Step, module: ir.Module) -> None:
        """Nothing to keep."""

    def after(self, step: Step, module: ir.Module) -> None:
        """Keeps the module if this is the wanted pass of the pipeline."""
        if step.name == self.wanted and not step.within:
            self.text = str(module)

    def failed(self, step: Step, module: ir.Module) -> None:
        """Nothing to keep."""


def decisions(
    module: ir.Module, options: CompileOptions, notation: str = "text", known: Mapping[int, int] | None = None
) -> list[str]:
    """The decisions of methods and fusion: checkpoints or reversals of loops, fused loops, memory.

    Arguments of the kernel that are `known` have these values.
    """
    from tapeless.backend.census import LAST, Census, with_known
    from tapeless.passes.ad.decisions import recording

    with_known(module, known or {})
    census, pipeline = Census(), options.pipeline.up_to(LAST)
    with recording(notation) as notes:
        explaining_faults(lambda: pipeline.run(module, verify_each=False, instruments=(census,)), module, pipeline)
    return [*notes, *census.lines()]


def stage_text(module: ir.Module, stage: str, options: CompileOptions) -> str:
    """The module after a stage: "input", a name of `STAGES`, "llvm", or any pass of the pipeline."""
    if stage == "input":
        return str(module)
    known = [step.name for step in steps_of(options.pipeline.elements)]
    watch = StageText(known[-1] if stage == LAST_STAGE else STAGES.get(stage, current_name(stage)))
    if watch.wanted not in known:
        stages = ("input", *STAGES, LAST_STAGE, *dict.fromkeys(known))
        raise ArgumentError(f"there is no stage '{stage}'; stages are {', '.join(stages)}")
    pipeline = options.pipeline.up_to(watch.wanted)
    explaining_faults(lambda: pipeline.run(module, verify_each=False, instruments=(watch,)), module, pipeline)
    assert watch.text is not None
    return watch.text
