"""Targets: what is compiled for is chosen by name once, and names that do not work are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless import targets
from tapeless.backend.codegen.llvm import Machine
from tapeless.backend.compile import CompileOptions
from tapeless.backend.targets import CPU, TARGETS
from tapeless.passes import PIPELINES
from tapeless.runtime.calling.loaders import LOADERS

OLD_X86 = Machine("x86_64-unknown-linux-gnu", "x86-64", "")
NEW_X86 = Machine("x86_64-unknown-linux-gnu", "skylake-avx512", "+avx,+avx512f,+fma")
NEON = Machine("aarch64-unknown-linux-gnu", "generic", "+neon")


def double(x: tl.f64[:]):
    return 2.0 * x


def test_every_target_that_works_is_complete() -> None:
    assert set(targets.TARGETS) == set(TARGETS) == set(LOADERS)
    for target in TARGETS.values():
        assert target.pipeline in PIPELINES


@pytest.mark.parametrize(
    ("machine", "settings"),
    [
        (OLD_X86, {"vector_bits": 128, "fused": False, "estimates": False, "root_steps": False}),
        (NEW_X86, {"vector_bits": 512, "fused": True, "estimates": True, "root_steps": False}),
        (NEON, {"vector_bits": 128, "fused": True, "estimates": False, "root_steps": True}),
    ],
)
def test_the_machine_decides_options_of_passes(machine: Machine, settings: dict[str, Any]) -> None:
    assert CPU.settings(machine) == settings
    written = str(CompileOptions(machine=machine).pipeline)
    assert f"vector-bits={settings['vector_bits']}" in written


@pytest.mark.parametrize(
    ("target", "error", "message"),
    [
        ("cuda:1", tl.ArgumentError, "the first that the process sees; write 'cuda', .* CUDA_VISIBLE_DEVICES=1"),
        ("cuda:sm_99", tl.ArgumentError, "unknown target 'cuda:sm_99'; did you mean"),
        ("cpu:0", tl.ArgumentError, "unknown target 'cpu:0'; did you mean 'cpu'"),
        ("gpu", tl.ArgumentError, "unknown target 'gpu'"),
        ("cdua", tl.ArgumentError, "unknown target 'cdua'; did you mean 'cuda'?"),
        (3, tl.ArgumentError, "unknown target 3; give one of 'cpu', 'cuda'"),
    ],
)
def test_other_targets_are_refused(target: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        tl.jit(double, target=target)
    with pytest.raises(error, match=message):
        tl.compile(double, target=target)


def test_the_target_that_works() -> None:
    assert (tl.jit(double, target="cpu")(np.ones(3)) == 2.0).all()
    assert "for cpu>" in repr(tl.compile(double, target="cpu"))
