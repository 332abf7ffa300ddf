"""Saved kernels: what comes back from a file is called like the kernel that was saved, and nothing else is loaded."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless.runtime import saved
from tapeless.runtime.code import LENGTH_BYTES, MAGIC, CompiledCode, split

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
    assert loaded.explain() == kernel.explain()
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


def test_a_cached_kernel_is_no_saved_one(path: Path, tmp_path: Path) -> None:
    code = CompiledCode.from_bytes(path.read_bytes(), saved.KEY)
    (tmp_path / "cached").write_bytes(code.to_bytes("some key", {}))
    with pytest.raises(tl.BundleError, match="saved for key 'some key'"):
        tl.load(tmp_path / "cached")


def test_every_damaged_part_is_found(path: Path) -> None:
    data = path.read_bytes()
    for place in range(0, len(data), 97):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(tl.BundleError, match="save the kernel again"):
            tl.load(path)
        path.write_bytes(data[:place])
        with pytest.raises(tl.BundleError, match="save the kernel again"):
            tl.load(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m.update(machine="pdp11"), "saved for machine 'pdp11'"),
        (lambda m: m.update(runtime=0), "saved for runtime 0"),
        (lambda m: m["description"]["needs"].append("magic"), "a processor that also has magic"),
        (lambda m: m["description"]["interface"].update(line="x"), "not a saved kernel of this version: 'line' is 'x'"),
        (
            lambda m: m["description"]["interface"].update(target="cuda"),
            "saved for target 'cuda', and here only cpu can be loaded",
        ),
        (lambda m: m["description"]["interface"].update(parameters=[]), "the parameters do not fit the code"),
        (lambda m: m["description"]["interface"]["parameters"][0].update(default=[]), "a parameter is"),
        (lambda m: m.pop("description"), "not a saved kernel of this version"),
    ],
)
def test_what_does_not_fit_is_refused(path: Path, change: Callable[[dict[str, Any]], None], message: str) -> None:
    manifest, code = split(path.read_bytes())
    change(manifest)
    path.write_bytes(_sealed(manifest, code))
    with pytest.raises(tl.BundleError, match=message):
        tl.load(path)


def _sealed(manifest: dict[str, Any], code: bytes) -> bytes:
    """A file with a right checksum, whatever the manifest says."""
    text = json.dumps(manifest).encode()
    return MAGIC + hashlib.sha256(text).digest() + len(text).to_bytes(LENGTH_BYTES, "little") + text + code
