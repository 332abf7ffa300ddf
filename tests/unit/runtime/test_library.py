"""Finding the C runtime, and the messages when it is missing or of another version."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tapeless.errors import TargetError
from tapeless.runtime import library

HEADER = Path(__file__).parents[3] / "runtime" / "tapeless_runtime.h"


@pytest.fixture
def forget_library() -> Iterator[None]:
    """Lets a test look for the library anew, and the tests after it too."""
    caches = (library.library_path, library.load_library)
    for cached in caches:
        cached.cache_clear()
    yield
    for cached in caches:
        cached.cache_clear()


def test_every_declared_function_has_a_prototype() -> None:
    declared = re.findall(r"^TL_API [\w ]*?\**(tl_\w+)\(", HEADER.read_text(), flags=re.MULTILINE)
    assert sorted(declared) == sorted(library.PROTOTYPES)
    assert all(library.symbol_addresses().values())


def test_the_versions_agree() -> None:
    assert f"#define TL_ABI_VERSION {library.ABI_VERSION}\n" in HEADER.read_text()


@pytest.mark.usefixtures("forget_library")
def test_a_missing_library_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "FILE_NAMES", ("libnowhere.so",))
    with pytest.raises(TargetError, match=r"the C runtime \(libnowhere.so\) of this .* is missing; run `make"):
        library.load_library()


@pytest.mark.usefixtures("forget_library")
def test_something_else_than_a_library_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = tmp_path / "libtapeless_runtime.so"
    damaged.write_text("not a library")
    monkeypatch.setattr(library, "_candidates", lambda: iter([damaged]))
    with pytest.raises(TargetError, match=r"cannot be loaded .* run `make install`"):
        library.load_library()


@pytest.mark.usefixtures("forget_library")
def test_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, built = tmp_path / "old.c", tmp_path / "libold.so"
    source.write_text("int tl_abi_version(void) { return 77; }\n")
    subprocess.run((shutil.which("cc") or "cc", "-shared", "-fPIC", str(source), "-o", str(built)), check=True)
    monkeypatch.setattr(library, "_candidates", lambda: iter([built]))
    with pytest.raises(TargetError, match=f"ABI version 77, not {library.ABI_VERSION}; run `make install`"):
        library.load_library()


def test_the_loader_needs_neither_mlir_nor_llvmlite() -> None:
    program = (
        "import sys, tapeless.runtime.invoke, tapeless.runtime.counters as c; c.memory_counters()\n"
        "print(sorted(m for m in sys.modules if m.split('.')[0] in ('mlir', 'torch_mlir', 'llvmlite')))"
    )
    done = subprocess.run((sys.executable, "-c", program), capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_addresses_are_those_of_the_loaded_functions() -> None:
    address = library.symbol_addresses()["tl_abi_version"]
    assert ctypes.CFUNCTYPE(ctypes.c_int32)(address)() == library.ABI_VERSION
