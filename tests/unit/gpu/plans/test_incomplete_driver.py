"""Drivers that are damaged, incomplete or of another machine: refused as one, and processors go on working."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import tapeless as tl
from tapeless.cli import doctor
from tapeless.runtime.cuda import library
from tapeless.runtime.cuda.required_calls import OPTIONAL, REQUIRED
from tapeless.runtime.library import library_path

E_MACHINE = 18  # where an ELF file says what processor it is for


@tl.function
def doubled(x: tl.f64[:]):
    return x + x


@pytest.fixture(scope="module")
def bundle() -> bytes:
    return tl.compile(doubled).to_bytes(targets=["cuda:sm_80", "native"])


def of_another_machine(path: Path) -> None:
    data = bytearray(library_path().read_bytes())
    data[E_MACHINE : E_MACHINE + 2] = (2).to_bytes(2, "little")
    path.write_bytes(bytes(data))


DAMAGED: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: None,
    "empty": Path.touch,
    "a folder": Path.mkdir,
    "no library": lambda path: path.write_text("INPUT(libcuda.so)"),
    "cut": lambda path: path.write_bytes(library_path().read_bytes()[:300]),
    "of another machine": of_another_machine,
    "another library": lambda path: path.write_bytes(library_path().read_bytes()),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_driver_is_none(bundle: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str) -> None:
    DAMAGED[damage](tmp_path / "libcuda.so.1")
    monkeypatch.setattr(library, "NAME", str(tmp_path / "libcuda.so.1"))
    with pytest.raises(tl.TargetError, match=r"NVIDIA driver .*; install .* or compile for target='cpu'"):
        library.Library()
    loaded = tl.load(bundle)
    assert "(native)" in loaded.explain()
    np.testing.assert_array_equal(loaded(np.ones(3)), np.full(3, 2.0))
    with pytest.raises(tl.BundleError, match=r"'cuda:sm_80' needs an NVIDIA GPU: .*NVIDIA driver"):
        tl.load(bundle, target="cuda")
    finding = doctor._examine_one("NVIDIA GPU", doctor.gpu)
    assert finding.healthy and finding.text.startswith("none: ")


@pytest.mark.parametrize("missing", REQUIRED)
def test_a_driver_without_a_call_is_none(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    """Whatever the driver lacks, it is found out before a GPU is chosen."""
    calls = {name: lambda *arguments: 0 for name in REQUIRED if name != missing}
    monkeypatch.setattr(library.ctypes, "CDLL", lambda name: SimpleNamespace(**calls))
    with pytest.raises(tl.TargetError, match=f"has no {missing}; install"):
        library.Library()


def test_every_call_is_in_the_table() -> None:
    sources = Path(library.__file__).parent.rglob("*.py")
    used = {name for path in sources for name in re.findall(r"\bcu[A-Z]\w+", path.read_text())}
    assert used == {*REQUIRED, *OPTIONAL}
