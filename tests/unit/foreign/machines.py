"""The processors that code is generated for in tests, and which of them is not this one."""

from __future__ import annotations

import platform
from dataclasses import dataclass

from tapeless.backend.codegen.llvm import Machine


@dataclass(frozen=True)
class Foreign:
    """A processor with the tools of Debian for it: a prefix of compilers, an emulator, the folder of its libraries."""

    name: str
    machine: Machine
    prefix: str

    def __str__(self) -> str:
        return self.name

    @property
    def compiler(self) -> str:
        return f"{self.prefix}-gcc"

    @property
    def emulator(self) -> str:
        return f"qemu-{self.name}"

    @property
    def libraries(self) -> str:
        return f"/usr/{self.prefix}"


X86_64 = Foreign(
    "x86_64", Machine("x86_64-unknown-linux-gnu", "haswell", "+avx,+avx2,+bmi,+bmi2,+fma,+f16c"), "x86_64-linux-gnu"
)
AARCH64 = Foreign("aarch64", Machine("aarch64-unknown-linux-gnu", "neoverse-n1", "+neon"), "aarch64-linux-gnu")
BOTH = (X86_64, AARCH64)
FOREIGN = next(each for each in BOTH if each.name != platform.machine())
# Processors without the instructions that others of their kind have, and with wider ones than can be emulated.
OLD = Machine("x86_64-unknown-linux-gnu", "x86-64", "")
WIDE = Machine("x86_64-unknown-linux-gnu", "skylake-avx512", "+avx,+avx2,+fma,+avx512f,+avx512dq,+avx512vl")
