"""Saved kernels called from C and C++: objects, shared libraries, prototypes, results of every kind, failures."""

from __future__ import annotations

import platform
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from foreign.emulator import RUNTIME, require_tools
from foreign.machines import FOREIGN, Foreign

import tapeless as tl
from tapeless.runtime.bundle.choose import read_bundle
from tapeless.runtime.library import library_path
from waiting import HANG_SECONDS

HERE = Path(__file__).parent
C = ("cc", "-std=c11", "-pedantic")
CPP = ("c++", "-std=c++17", "-x", "c++")
STRICT = ("-Wall", "-Wextra", "-Werror", "-O1")


@tl.function
def mixture(x: tl.f64[:, 3], y: tl.f32[:], n: tl.i64, m: tl.i32, flag: tl.bool_, a: tl.f64, b: tl.f32):
    """Every type, */ sizes fixed, passed and computed, and a result of unknown size."""
    kept = x[0]
    for _ in range(n):
        kept = tl.concat((kept, x[n]))
    half = tl.zeros(x.shape[0] + n * 2 - 1) + a
    chosen = y * b if flag else y
    return (x * a, chosen), (kept, half), n + m, tl.sum(x) > a, b * 2, m, y[n]


ARGUMENTS = (np.arange(15.0).reshape(5, 3), np.arange(4, dtype=np.float32), 2, -7, True, 0.5, 1.5)


@pytest.fixture(scope="module")
def data() -> bytes:
    foreign = ("x86_64", "x86_64-avx2") if FOREIGN.name == "x86_64" else ("aarch64",)
    return tl.compile(mixture).to_bytes(("native", *foreign), symbol="mixture_of_all")


def unpacked(data: bytes, target: str, folder: Path) -> Path:
    parts = next(each for each in read_bundle(data, "").targets if each.name == target).parts
    for name, contents in parts.items():
        (folder / name).write_bytes(contents)
    shutil.copy(folder / "kernel.so", folder / "libmixture_of_all.so")
    shutil.copy(HERE / "call_mixture.c", folder)
    return folder


def built(compiler: tuple[str, ...], folder: Path, *inputs: str) -> Path:
    if shutil.which(compiler[0]) is None:
        pytest.skip(f"{compiler[0]} is not installed")
    program = folder / "program"
    subprocess.run([*compiler, *STRICT, "call_mixture.c", "-x", "none", *inputs, "-o", program], cwd=folder, check=True)
    return program


def output(command: list[str | Path]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG_SECONDS)
    assert done.returncode == 0, done.stderr
    return done.stdout


def expected() -> list[str]:
    """What the program prints, by the rules of Python."""
    (scaled, chosen), (kept, half), total, is_large, double, m, picked = mixture(*ARGUMENTS)
    arrays = (scaled.ravel(), chosen, kept, half)
    lines = [" ".join(f"{value:g}" for value in array) for array in arrays]
    lines += [f"{len(kept)}", f"{total} {int(is_large)} {double:g} {m} {picked:g}"]
    with pytest.raises(tl.IndexOutOfRange) as refused:
        mixture(ARGUMENTS[0], ARGUMENTS[1], 5, *ARGUMENTS[3:])
    line = str(refused.value).splitlines()[0]
    assert "out of range" in line
    return lines


def check(found: str) -> None:
    *values, check_text, sizes = found.splitlines()
    assert values == expected()
    kind, _, text = check_text.partition(" ")
    assert kind == "1"
    assert f"{Path(__file__)}:" in text and "IndexOutOfRange: " in text and "{}" in text
    assert sizes == "4 4 4"


RUNTIME_OPTIONS = (f"-L{library_path().parent}", "-ltapeless_runtime", f"-Wl,-rpath,{library_path().parent}", "-lm")


@pytest.mark.one_in(4)
@pytest.mark.parametrize("compiler", [C, CPP], ids=["c", "c++"])
def test_an_object_is_linked_and_called(data: bytes, tmp_path: Path, compiler: tuple[str, ...]) -> None:
    folder = unpacked(data, "native", tmp_path)
    check(output([built(compiler, folder, "kernel.o", *RUNTIME_OPTIONS)]))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("compiler", [C, CPP], ids=["c", "c++"])
def test_a_shared_library_is_linked_and_called(data: bytes, tmp_path: Path, compiler: tuple[str, ...]) -> None:
    folder = unpacked(data, "native", tmp_path)
    library = (f"-L{folder}", "-lmixture_of_all", f"-Wl,-rpath,{folder}")
    check(output([built(compiler, folder, *library, *RUNTIME_OPTIONS)]))


@pytest.fixture(scope="module")
def foreign() -> Foreign:
    require_tools(FOREIGN)
    return FOREIGN


@pytest.fixture(scope="module")
def foreign_runtime(foreign: Foreign, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the C runtime, compiled for the other processor."""
    folder = tmp_path_factory.mktemp("runtime")
    options = ["-std=c11", "-O1", "-D_POSIX_C_SOURCE=200809L", "-fPIC", "-shared", f"-I{RUNTIME}"]
    library = folder / "libtapeless_runtime.so"
    sources = sorted(RUNTIME.glob("*.c"))
    command = [foreign.compiler, *options, *sources, "-Wl,-soname,libtapeless_runtime.so", "-lpthread", "-o", library]
    subprocess.run(command, check=True)
    return folder


@pytest.mark.one_in(4)
@pytest.mark.parametrize("form", ["object", "library"])
@pytest.mark.parametrize("target", ["aarch64"] if platform.machine() == "x86_64" else ["x86_64", "x86_64-avx2"])
def test_the_other_processor_runs_its_own(
    data: bytes, tmp_path: Path, foreign: Foreign, foreign_runtime: Path, target: str, form: str
) -> None:
    folder = unpacked(data, target, tmp_path)
    kernel = ("kernel.o",) if form == "object" else (f"-L{folder}", "-lmixture_of_all", f"-Wl,-rpath,{folder}")
    runtime = (f"-L{foreign_runtime}", "-ltapeless_runtime", f"-Wl,-rpath,{foreign_runtime}", "-lm")
    program = built((foreign.compiler, "-std=c11"), folder, *kernel, *runtime)
    check(output([foreign.emulator, "-cpu", "max", "-L", foreign.libraries, program]))


def test_the_header_documents_every_parameter(data: bytes) -> None:
    header = read_bundle(data, "").targets[0].parts["kernel.h"].decode()
    for line in (
        "(tl.f64[:, 3], ",
        f"from {__file__}:{mixture.source.line}",
        "Every type, * / sizes fixed",
        "x: double[x_size0][3]",
        "y: float[y_size0]",
        "flag: bool",
        "result0_0: double[x_size0][3], provided by the caller",
        "result1_0: receives the address of doubles, to be freed with tl_free, and their sizes on 1 axes",
        "result1_1: double[(x_size0 + (n * 2)) - 1], provided",
        "result3: receives the bool",
        "const double *x, int64_t x_size0, const float *y, int64_t y_size0, int64_t n, int32_t m, bool flag, double a",
        "double **result1_0, int64_t result1_0_sizes[1], double *result1_1",
    ):
        assert line in header, header
