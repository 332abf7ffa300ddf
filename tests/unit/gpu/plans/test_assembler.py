"""NVIDIA's assembler takes the PTX of programs of the collection, for the oldest and the newest GPUs."""

from __future__ import annotations

import re
import subprocess
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from programs import PROGRAMS
from tapeless.targets import GENERATIONS

SHARE = 12
# Bytes of addresses that a thread of a large tile may keep in memory.
MOST_ADDRESSES = 192


def assembler() -> Path | None:
    """Where ptxas is, if its package is installed."""
    try:
        files = metadata.files("nvidia-cuda-nvcc") or []
    except metadata.PackageNotFoundError:
        return None
    return next((Path(str(path.locate())) for path in files if path.name == "ptxas"), None)


pytestmark = pytest.mark.skipif(assembler() is None, reason="ptxas is not installed: make assembler")


def assembled(kernel: Any, architecture: str, folder: Path) -> str:
    """What the assembler says of a kernel: registers, memory, spills."""
    source = folder / "kernel.ptx"
    source.write_text(kernel.asm())
    command = [assembler(), f"-arch={architecture}", "-v", source, "-o", folder / "kernel.cubin"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


def spilled_bytes(told: str) -> dict[str, int]:
    """How much each kernel stores beside its registers."""
    found = re.findall(r"Compiling entry function '(\w+)'.*?(\d+) bytes spill stores", told, re.DOTALL)
    return {name: int(size) for name, size in found}


def is_in_share(number: int) -> bool:
    return number % SHARE == 0


CASES = [
    pytest.param(name, marks=[] if is_in_share(number) else pytest.mark.thorough)
    for number, name in enumerate(PROGRAMS)
]


@pytest.mark.parametrize("name", CASES)
def test_programs(name: str, tmp_path: Path) -> None:
    program = PROGRAMS[name]
    arguments = program.arguments(np.random.default_rng(0))
    assembled(tl.compile(program.function, arguments, target="cuda:sm_90"), "sm_90", tmp_path)


@tl.function
def likelihood(x: tl.f64[:, :], w: tl.f64[:]):
    return tl.sum(tl.log(1.0 + tl.exp(x @ w))) + tl.sum(tl.cumsum(w) * w)


@pytest.mark.parametrize("architecture", GENERATIONS)
def test_a_gradient_for_each_generation(architecture: str, tmp_path: Path) -> None:
    kernel = tl.compile(tl.grad(likelihood), (np.ones((3, 2)), np.ones(2)), target=f"cuda:{architecture}")
    assembled(kernel, architecture, tmp_path)


@tl.function
def product(a, b):
    return a @ b


@pytest.mark.one_in(2)
@pytest.mark.parametrize("dtype", [tl.f64, tl.f32])
@pytest.mark.parametrize("architecture", ["sm_80", "sm_90"])
def test_tiles_stay_in_registers(dtype: Any, architecture: str, tmp_path: Path) -> None:
    """No shape of tiles spills; doubles are multiplied as small matrices where GPUs can do it.

    Large tiles that leave registers for a second block keep a few addresses in memory, which are needed once for every
    tile of steps: two blocks are faster than one that keeps them.
    """
    kernel = tl.compile(product, (dtype[:, :], dtype[:, :]), target=f"cuda:{architecture}")
    spills = spilled_bytes(assembled(kernel, architecture, tmp_path))
    assert len(spills) >= 3
    two_blocks = set(re.findall(r"\.entry (\w+)\([^{]*\.minnctapersm 2", kernel.asm()))
    assert bool(two_blocks) == (dtype is tl.f32)
    assert all(size <= (MOST_ADDRESSES if name in two_blocks else 0) for name, size in spills.items())
    has_matrices = dtype is tl.f64 and architecture == "sm_90"
    assert ("mma.sync.aligned.m16n8k8.row.col.f64" in kernel.asm()) == has_matrices
    assert ("ld.shared.v" in kernel.asm()) != has_matrices
