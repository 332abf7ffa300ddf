"""LLVM IR text to object code, by llvmlite."""

from __future__ import annotations

from functools import cache

import llvmlite.binding as llvm

from tapeless.backend.codegen.llvm_text import for_llvmlite
from tapeless.backend.codegen.rejection import RejectedCode
from tapeless.dataclasses_on_use import dataclass

ENTRY_SUFFIX = "__entry"
# Widest first: what a processor feature says about its vector registers.
VECTOR_BITS = {"avx512f": 512, "avx": 256}
# How much work LLVM spends on better code, from 0 to 3; the last takes a twentieth of a compilation and gains nothing.
EFFORT = 2
# Where vectors are put together lane by lane more often than this, LLVM does not look for vectors in straight-line
# code: it would try a tree of operations for every lane, which took up to nine tenths of its time, for hardly any.
MOST_INSERTIONS = 100


@dataclass(frozen=True)
class Machine:
    """The processor that code is generated for, in LLVM's words."""

    triple: str
    cpu: str
    features: str

    @property
    def vector_bits(self) -> int:
        """The width of a vector register; 128 on every machine that says nothing else."""
        present = self.features.split(",")
        return next((bits for feature, bits in VECTOR_BITS.items() if f"+{feature}" in present), 128)

    @property
    def fuses(self) -> bool:
        """Whether a product and a sum can be one instruction, as on all but old x86_64 processors."""
        return not self.triple.startswith("x86_64") or "+fma" in self.features.split(",")

    @property
    def estimates(self) -> bool:
        """Whether an instruction gives 14 bits of the reciprocal roots of a register of doubles."""
        return self.triple.startswith("x86_64") and "+avx512f" in self.features.split(",")

    @property
    def root_steps(self) -> bool:
        """Whether LLVM makes reciprocal roots of doubles of the processor's estimates, as it does for aarch64."""
        return self.triple.startswith("aarch64")


@cache
def host() -> Machine:
    """The processor this process runs on."""
    features = llvm.get_host_cpu_features().flatten()
    return Machine(llvm.get_process_triple(), llvm.get_host_cpu_name(), features)


def optimise(llvm_ir: str, machine: Machine, exported: tuple[str, ...] | None = None) -> llvm.ModuleRef:
    """Parses LLVM IR and runs LLVM's pipeline on it with loop and straight-line vectorisation.

    What nothing calls goes, but for the functions that are exported: those named, or the entries of kernels. LLVM may
    leave shuffles of vectors before what they read, at which its code generator would end the process: such a module
    is optimised again without vectors.
    """
    for with_vectors in (True, False):
        module = _optimised(llvm_ir, machine, exported, with_vectors=with_vectors)
        try:
            module.verify()
        except RuntimeError as error:
            problem = error
        else:
            return module
    raise RejectedCode(f"llvmlite {llvm.llvm_version_info} makes LLVM IR that it rejects: {problem}") from problem


def _optimised(
    llvm_ir: str, machine: Machine, exported: tuple[str, ...] | None, *, with_vectors: bool
) -> llvm.ModuleRef:
    try:
        module = llvm.parse_assembly(for_llvmlite(llvm_ir))
    except RuntimeError as error:
        raise RejectedCode(f"llvmlite {llvm.llvm_version_info} rejects the generated LLVM IR: {error}") from error
    target = target_machine(machine)
    module.triple = machine.triple
    module.data_layout = str(target.target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=EFFORT)
    options.loop_vectorization = with_vectors
    options.slp_vectorization = with_vectors and llvm_ir.count(" insertelement ") < MOST_INSERTIONS
    builder = llvm.create_pass_builder(target, options)
    builder.getModulePassManager().run(module, builder)
    keep_only(exported or _entries(module), module, builder)
    return module


def _entries(module: llvm.ModuleRef) -> tuple[str, ...]:
    return tuple(function.name for function in module.functions if function.name.endswith(ENTRY_SUFFIX))


def keep_only(exported: tuple[str, ...], module: llvm.ModuleRef, builder: llvm.PassBuilder) -> None:
    """Removes functions that nothing calls after all, such as vector variants the vectoriser had no use for."""
    if not exported:
        return
    for function in module.functions:
        if not function.is_declaration and function.name not in exported:
            function.linkage = "internal"
    cleaning = llvm.create_new_module_pass_manager()
    cleaning.add_global_dead_code_eliminate_pass()
    cleaning.run(module, builder)


def emit_object(module: llvm.ModuleRef, machine: Machine) -> bytes:
    """The relocatable object file of an optimised module."""
    return target_machine(machine).emit_object(module)


def emit_assembly(module: llvm.ModuleRef, machine: Machine) -> str:
    """The assembly text of an optimised module."""
    return target_machine(machine).emit_assembly(module)


def target_machine(machine: Machine) -> llvm.TargetMachine:
    """A code generator for the machine; position-independent, because the loader chooses the address."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(machine.triple)
    return target.create_target_machine(
        cpu=machine.cpu, features=machine.features, opt=EFFORT, reloc="pic", codemodel="small"
    )
