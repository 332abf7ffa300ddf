"""LLVM makes PTX of the kernels that a call is about to launch, and the kernel cache keeps what was made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.fake_gpu import FakeGpu
from tapeless.backend import cache
from tapeless.backend.codegen.device_parts import DeviceParts
from tapeless.backend.codegen.on_demand import OnDemand
from tapeless.runtime.bundle.cuda import open_code, saved_target
from tapeless.runtime.code import CompiledCode, DamagedCode
from tapeless.runtime.cuda.image import DeviceImage
from tapeless.runtime.cuda.kernel_source import Unfinished

TEXT = """; ModuleID = 'kernels'
source_filename = "kernels"

@row = internal addrspace(3) global [4 x double] undef
@"other row" = internal addrspace(3) global [4 x double] undef

define ptx_kernel void @first(ptr %0) {
  %2 = call double @twice(double 1.0)
  store double %2, ptr addrspace(3) @row
  ret void
}

declare double @outside(double)

define ptx_kernel void @second(ptr %0) {
  store double 1.0, ptr addrspace(3) @"other row"
  ret void
}

define double @twice(double %0) {
  %2 = call double @outside(double %0)
  ret double %2
}

; Function Attrs: nounwind
declare i32 @thread() #0

attributes #0 = { nounwind }

!llvm.module.flags = !{!0}
"""


def test_a_part_has_what_its_kernels_reach() -> None:
    parts = DeviceParts(TEXT)
    first, second = parts.of(["first"]), parts.of(["second"])
    assert all(name in first for name in ("@first(", "@twice(", "declare double @outside(", "@row ="))
    assert not any(name in first for name in ("@second(", "other row", "@thread"))
    assert '@"other row" =' in second and "@twice" not in second
    for text in (first, second):
        assert text.startswith("; ModuleID") and text.count("source_filename") == 1
        assert "attributes #0" in text and text.endswith("!{!0}\n")
    assert parts.of(["second", "first"]).index("@first(") < parts.of(["second", "first"]).index("@second(")


class Making:
    """Stands for LLVM: the PTX of a kernel is its name and an empty body; `asked` are the kernels of each time."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def __call__(self, text: str, kernels: Sequence[str]) -> str:
        assert all(f"@{name}(" in text for name in kernels)
        self.asked.append(list(kernels))
        return "".join(f".visible .entry {name}(\n)\n{{\n}}\n" for name in kernels)


COUNTER = count(1.5)


def names_in(parts: list[tuple[list[str], bytes]]) -> list[str]:
    return [name.decode() for _, text in parts for name in re.findall(rb"\.entry (\w+)\(", text)]


def test_what_was_made_is_not_made_again() -> None:
    making, times = Making(), []
    kernels = OnDemand(TEXT, ("first", "second"), making)
    kernels.when_made = lambda: times.append(1)
    assert names_in(kernels.parts(["second"])) == ["second"]
    assert names_in(kernels.parts(["second", "first"])) == ["second", "first"]
    assert names_in(kernels.parts(["first"])) == ["first"]
    assert making.asked == [["second"], ["first"]] and len(times) == 2
    assert kernels.whole() == kernels.whole() and making.asked[2:] == [["first", "second"]]


def test_the_cache_keeps_ptx_with_the_text() -> None:
    making = Making()
    kernels = OnDemand(TEXT, ("first", "second"), making)
    kernels.parts(["second"])
    stored = kernels.stored()
    again = OnDemand.of_stored(Unfinished(stored.text, stored.layout), making)
    assert again.identity() == kernels.identity()
    assert names_in(again.parts(["second"])) == ["second"] and len(making.asked) == 1
    assert names_in(again.parts(["first", "second"])) == ["second", "first"] and making.asked[1:] == [["first"]]


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("TAPELESS_CACHE_DIR", str(tmp_path / "kernels"))
    yield tmp_path


def compiled() -> tuple[CompiledCode, OnDemand]:
    """A kernel that no other test has compiled in this process: functions are the same if their texts are."""

    @tl.function
    def product(a: tl.f64[:, :], b: tl.f64[:, :]):
        return a @ b

    number = next(COUNTER)
    kernel = tl.compile(lambda a, b: number * product(a, b), (np.ones((2, 2)), np.ones((2, 2))), target="cuda:sm_90")
    code: Any = kernel.code
    assert isinstance(code.image, DeviceImage) and isinstance(code.image.kernels, OnDemand)
    return code, code.image.kernels


def entries(ptx: bytes) -> dict[bytes, bytes]:
    """The bodies of kernels, of which labels have the number of the function in their module."""
    found = re.findall(rb"^\.visible \.entry (\w+)(\(.*?\n\})", ptx, re.M | re.S)
    return {name: re.sub(rb"\$L__(BB|tmp)\d+_", rb"$L__\1_", body) for name, body in found}


def test_a_kernel_alone_is_the_code_it_is_among_others(own_cache: Path) -> None:
    """So a saved kernel, which has all of them, gives the same bits."""
    _, kernels = compiled()
    whole = entries(kernels.whole())
    assert len(whole) > 3
    for name in sorted(whole)[::2]:
        [(_, text)] = kernels.parts([name.decode()])
        assert entries(text) == {name: whole[name]}


def test_the_kernel_cache_gives_back_what_was_launched(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, kernels = compiled()
    name = kernels._kernels[0]
    kernels.parts([name])
    [entry] = cache.list_entries()
    key = entry.path.parent.name + entry.path.name.removesuffix(cache.SUFFIX)
    code = cache.load(key)
    assert code is not None and isinstance(code.image, DeviceImage) and isinstance(code.image.kernels, OnDemand)
    monkeypatch.setattr(code.image.kernels, "_make", None)
    assert code.image.kernels.parts([name]) == kernels.parts([name])
    assert entry.description["function"] == "lambda"


@pytest.mark.parametrize(
    "harm",
    [
        lambda layout: layout.pop("ends"),
        lambda layout: layout.update(ends=[1]),
        lambda layout: layout.update(ends=["a"]),
        lambda layout: layout.update(made=[["x"], ["y"]]),
    ],
)
def test_a_damaged_layout_counts_as_missing(own_cache: Path, harm: Any) -> None:
    code, kernels = compiled()
    stored = kernels.stored()
    harm(stored.layout)
    cache.store("0" * 64, CompiledCode(code.entry, DeviceImage(stored, code.image.plan, "sm_90"), code.abi, ()), {})
    assert cache.load("0" * 64) is None


def test_a_saved_kernel_has_all_ptx_and_is_opened_again(own_cache: Path) -> None:
    """What is left for the first call is made for a file, whose manifest fits the PTX in it."""
    code, kernels = compiled()
    saved = saved_target("cuda:sm_90", code)
    opened = open_code(saved.details, saved.parts)
    assert opened.image.code == kernels.whole() == saved.parts["kernels.ptx"]
    with pytest.raises(DamagedCode, match="not finished"):
        open_code({**saved.details, "layout": kernels.stored().layout}, saved.parts)
    path = own_cache / "product.tlk"
    tl.compile(lambda a: 2.0 * a, (np.ones(2),), target="cuda:sm_90").save(path)
    with mock.patch("tapeless.runtime.bundle.cuda.driver", FakeGpu):
        assert ".visible .entry" in tl.load(path).ptx()
