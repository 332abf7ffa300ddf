"""The processors that a saved kernel can name: LLVM's names, and the system's features of those that fit."""

from __future__ import annotations

from tapeless.backend.codegen.llvm import Machine, host
from tapeless.dataclasses_on_use import dataclass
from tapeless.runtime.bundle.cpu import NATIVE
from tapeless.runtime.processor import instruction_sets

X86_TRIPLE, ARM_TRIPLE = "x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"
# The third and fourth level of the processor supplement of x86_64, as LLVM and as /proc/cpuinfo spell it.
AVX2 = "+avx,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe"
AVX512 = f"{AVX2},+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl"
NEEDS_SSE4 = ("cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3")
NEEDS_AVX2 = (*NEEDS_SSE4, "abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe")
NEEDS_AVX512 = (*NEEDS_AVX2, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")


@dataclass(frozen=True)
class Processor:
    """A kind of processor: for the code generator, and the instruction sets it must have."""

    machine: Machine
    needs: tuple[str, ...]

    @property
    def architecture(self) -> str:
        """As `uname -m` says it."""
        return self.machine.triple.partition("-")[0]


# The better code first: of what a machine can run, the first is chosen.
PORTABLE = {
    "x86_64-avx512": Processor(Machine(X86_TRIPLE, "x86-64-v4", AVX512), NEEDS_AVX512),
    "x86_64-avx2": Processor(Machine(X86_TRIPLE, "x86-64-v3", AVX2), NEEDS_AVX2),
    "x86_64": Processor(Machine(X86_TRIPLE, "x86-64", ""), ("sse2",)),
    "aarch64": Processor(Machine(ARM_TRIPLE, "generic", "+neon"), ("asimd", "fp")),
}
NAMES = (NATIVE, *PORTABLE)


def processor_named(name: str) -> Processor:
    """The processor of a target's name; `native` is this one, with every instruction set it has."""
    if name != NATIVE:
        return PORTABLE[name]
    return Processor(host(), tuple(sorted(instruction_sets())))
