"""Compiles the test kernels with the C compiler and offers them as callables."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tapeless.runtime.failure import Site
from tapeless.runtime.invoke import run_kernel
from tapeless.runtime.library import load_library

ROOT = Path(__file__).parents[3]
SITES = {
    7: Site("IndexOutOfRange", "index {} of size {} is out of range", "model.py", 12),
    8: Site("ShapeMismatch", "sizes {} and {} do not broadcast", "model.py", 30),
    99: Site("TapelessError", "{} inner calls failed", "model.py", 1),
}

RunKernel = Callable[..., np.ndarray]


@pytest.fixture(scope="session")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The kernels of kernels.c; they find the runtime among the globally loaded libraries."""
    load_library()
    compiler = shutil.which("cc") or pytest.fail("these tests need the C compiler that built the package")
    built = tmp_path_factory.mktemp("kernels") / "kernels.so"
    source = Path(__file__).with_name("kernels.c")
    command = (compiler, "-O1", "-Wall", "-shared", "-fPIC", "-pthread", f"-I{ROOT / 'runtime'}")
    subprocess.run((*command, str(source), "-lm", "-o", str(built)), check=True)
    return ctypes.CDLL(str(built))


@pytest.fixture
def run(kernels: ctypes.CDLL) -> RunKernel:
    """run(name, *slots) runs a kernel and returns its slots afterwards; arrays are passed by address."""

    def run_named(name: str, *values: int | np.ndarray) -> np.ndarray:
        slots = np.array([v.ctypes.data if isinstance(v, np.ndarray) else v for v in values], dtype=np.int64)
        address = ctypes.cast(getattr(kernels, name), ctypes.c_void_p).value or 0
        run_kernel(address, slots.ctypes.data, SITES)
        return slots

    return run_named
