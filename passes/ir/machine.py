"""The hardware numbers of GPUs and CPUs: the only place where the passes have them."""

from __future__ import annotations

from tapeless.dataclasses_on_use import dataclass


@dataclass(frozen=True)
class Gpu:
    """A GPU of a generation.

    `shared_of_block` is the shared memory that a block may ask for, `shared_of_multiprocessor` that of all blocks on
    one multiprocessor together, both in bytes.
    """

    name: str
    multiprocessors: int
    shared_of_block: int
    shared_of_multiprocessor: int


GPUS = {
    "sm_80": Gpu("A100", 108, 163 << 10, 164 << 10),
    "sm_86": Gpu("A40", 84, 99 << 10, 100 << 10),
    "sm_89": Gpu("L40S", 142, 99 << 10, 100 << 10),
    "sm_90": Gpu("H100", 132, 227 << 10, 228 << 10),
    "sm_100": Gpu("B200", 148, 227 << 10, 228 << 10),
}

MEASURED_GPU = GPUS["sm_90"]
"""The GPU on which thresholds were found; other generations run the same schedules."""

SHARED_OF_ANY_BLOCK = min(gpu.shared_of_block for gpu in GPUS.values())
"""The shared memory that a block may ask for on every generation."""

SHARED_OF_THIRD_BLOCK = 32 << 10
"""The shared memory of a block of which three run at once on a multiprocessor of every generation."""

SHARED_WITHOUT_ASKING = 48 << 10
"""The shared memory of a block that does not ask for more, on every generation."""

BANKS_BYTES = 128
"""The bytes of shared memory that are read at once: 32 banks of four."""

# Shares of the memory of a GPU: guesses that fit the programs, far below the memory of every GPU of the table.
STACK_OF_GPU_THREAD = 1 << 16
"""The stack of a thread that runs functions which call themselves."""

HEAP_OF_GPU = 1 << 28
"""The memory from which threads allocate while they run."""

SCRATCH_OF_BLOCKS = 1 << 29
"""The most memory for temporary arrays of all blocks of a launch together."""

SCRATCH_OF_THREADS = 1 << 30
"""The most memory for temporary arrays of all threads of a launch together."""


@dataclass(frozen=True)
class Cpu:
    """A core of a CPU, with the bytes of its second-level cache."""

    name: str
    second_level: int


CPUS = {
    "aarch64": Cpu("Neoverse-N1", 512 << 10),
    "x86_64": Cpu("Skylake-SP", 1 << 20),
}

# Threads of operating systems have stacks of half a megabyte or more; these shares are guesses that fit the programs.
STACK_OF_FUNCTION = 64 << 10
"""The stack that the arrays of a function may take."""

STACK_OF_LANES = STACK_OF_FUNCTION // 2
"""The stack that one array may take with a copy for each lane."""

SECOND_LEVEL = min(cpu.second_level for cpu in CPUS.values())
"""The smaller of these second-level caches."""
