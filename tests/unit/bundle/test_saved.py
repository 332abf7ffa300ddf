"""Saved kernels: what comes back from a file is called like the kernel that was saved, and nothing else is loaded."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tapeless as tl

ONE = np.int64(1)


@tl.function
def scaled(x: tl.f64[:], factor: tl.f64 = 3.0, *, shift: tl.i64 = ONE) -> tl.f64[:]:
    """x times factor, shifted."""
    return x * factor + shift


@pytest.fixture
def path(tmp_path: Path) -> Path:
    tl.compile(scaled).save(tmp_path / "scaled.tlk")
    return tmp_path / "scaled.tlk"


def test_a_loaded_kernel_is_like_the_saved_one(path: Path) -> None:
    kernel, loaded = tl.compile(scaled), tl.load(path)
    assert isinstance(loaded, tl.Kernel)
    assert repr(loaded) == repr(kernel)
    assert loaded.explain().replace("cpu (native)", "cpu").splitlines()[:3] == kernel.explain().splitlines()[:3]
    assert loaded.abi == kernel.abi
    assert (loaded.__name__, loaded.__doc__) == ("scaled", "x times factor, shifted.")


def test_names_and_defaults_are_kept(path: Path) -> None:
    loaded = tl.load(str(path))
    x = np.arange(3.0)
    np.testing.assert_array_equal(loaded(x), x * 3.0 + 1)
    np.testing.assert_array_equal(loaded(factor=2.0, x=x, shift=5), x * 2.0 + 5)
    with pytest.raises(tl.ArgumentError, match="no parameter 'shft'; did you mean 'shift'"):
        loaded(x, shft=1)
    with pytest.raises(tl.TypeMismatch, match="argument 'x' is a list"):
        loaded([1.0])


def test_a_loaded_kernel_is_saved_again(path: Path) -> None:
    again = path.with_name("again.tlk")
    tl.load(path).save(again)
    assert again.read_bytes() == path.read_bytes()


def test_a_derivative_is_saved(tmp_path: Path) -> None:
    tl.compile(tl.grad(lambda x: tl.sum(x * x * x)), (tl.f64[:],)).save(tmp_path / "gradient")
    np.testing.assert_allclose(tl.load(tmp_path / "gradient")(np.arange(4.0)), 3.0 * np.arange(4.0) ** 2)


def test_a_threaded_kernel_with_constants_is_saved(tmp_path: Path) -> None:
    table = np.linspace(0.0, 1.0, 40_000)
    kernel = tl.compile(tl.function(lambda x: tl.sum(tl.exp(x) * table)), (tl.f64[:],), threads=2)
    kernel.save(tmp_path / "threaded")
    assert "threads 2" in tl.load(tmp_path / "threaded").explain()
    assert tl.load(tmp_path / "threaded")(table) == kernel(table)


@pytest.mark.parametrize("look", [tl.Kernel.ir, tl.Kernel.asm, tl.Kernel.timing])
def test_a_loaded_kernel_has_no_compilation_to_show(path: Path, look: Callable[[tl.Kernel], str]) -> None:
    with pytest.raises(tl.BundleError, match="was loaded and has no "):
        look(tl.load(path))


def test_a_default_that_is_no_number_is_refused(tmp_path: Path) -> None:
    @tl.function
    def moved(x: tl.f64[:], by: tl.f64[:] = np.ones(2)) -> tl.f64[:]:  # noqa: B008
        return x + by

    with pytest.raises(tl.ArgumentError, match="the default of 'by' is not a number"):
        tl.compile(moved).save(tmp_path / "moved")
    assert not (tmp_path / "moved").exists()


def test_a_missing_file_is_the_systems_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        tl.load(tmp_path / "none.tlk")


def test_bytes_are_loaded_like_files(path: Path) -> None:
    for data in (path.read_bytes(), bytearray(path.read_bytes()), memoryview(path.read_bytes())):
        assert tl.load(data)(np.ones(2)).tolist() == [4.0, 4.0]


def test_the_same_program_gives_the_same_bytes(path: Path) -> None:
    assert tl.compile(scaled).to_bytes() == path.read_bytes()


def test_a_loaded_kernel_keeps_its_targets_and_symbol(path: Path) -> None:
    with pytest.raises(
        tl.BundleError, match="was loaded as it was saved; give targets and symbol where it is compiled"
    ):
        tl.load(path).save(path, targets=["aarch64"])
    with pytest.raises(tl.BundleError, match="was loaded as it was saved"):
        tl.load(path).to_bytes(symbol="other")


def test_a_bundle_is_a_zip_archive(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        manifest = json.loads(archive.read("manifest.json"))
        parts = manifest["targets"][0]["parts"]
        assert {each["file"] for each in parts.values()} == set(archive.namelist()) - {"manifest.json"}
        for each in parts.values():
            assert hashlib.sha256(archive.read(each["file"])).hexdigest() == each["sha256"]
    assert manifest["version"] == 1
    assert manifest["made_by"] == tl.__version__
    text = "scaled(x: tl.f64[:], factor: tl.f64 = 3.0, *, shift: tl.i64 = 1) -> tl.f64[:]"
    assert manifest["signature"] == text
