"""Users without a home, and file systems that nothing can be written to: kernels are compiled and not kept."""

from __future__ import annotations

import os
import pwd
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tapeless.backend import cache, cache_folder
from tapeless.backend.faults.reproducers import keep_reproducer
from tapeless.cli import doctor
from tapeless.cli.main import main
from tapeless.runtime.code import CompiledCode

from . import loops

KEY = "ab" + "0" * 62
Patch = pytest.MonkeyPatch


@pytest.fixture(scope="module")
def code() -> CompiledCode:
    return loops.compile_loops(loops.SUM_WITH_CHECK, loops.SUM_WITH_CHECK_ABI, loops.SUM_SITES)


def nameless(patch: Patch, folder: Path) -> None:
    """A user whom the system does not know, as in containers that are run with a number."""

    def unknown(number: int) -> None:
        raise KeyError(f"getpwuid(): uid not found: {number}")

    patch.delenv("HOME", raising=False)
    patch.setattr(pwd, "getpwuid", unknown)


def nowhere(patch: Patch, folder: Path) -> None:
    """A home that is no folder."""
    (folder / "home").touch()
    patch.setenv("HOME", str(folder / "home"))


def read_only(patch: Patch, folder: Path) -> None:
    """A file system without room for anything, for root as well."""

    def refuse(path: object, *arguments: object, **options: object) -> None:
        raise OSError(30, "Read-only file system", str(path))

    patch.setenv("HOME", str(folder))
    patch.setattr(os, "mkdir", refuse)
    patch.setattr(os, "access", lambda path, mode: mode == os.F_OK)


WITHOUT: dict[str, tuple[Callable[[Patch, Path], None], str]] = {
    "nameless": (nameless, "HOME is not set, and the system knows no home of user"),
    "nowhere": (nowhere, "home' is no folder"),
    "read-only": (read_only, "' cannot be written to"),
}


@pytest.fixture(params=WITHOUT)
def reason(request: pytest.FixtureRequest, monkeypatch: Patch, tmp_path: Path) -> str:
    for name in ("TAPELESS_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    go, said = WITHOUT[request.param]
    go(monkeypatch, tmp_path)
    return said


def test_kernels_are_not_kept(code: CompiledCode, reason: str) -> None:
    cache.store(KEY, code, {})
    assert cache.load(KEY) is None
    assert cache.list_entries() == []
    assert cache.prune() == 0


def test_the_doctor_says_so(reason: str) -> None:
    finding = doctor._examine_one("kernel cache", doctor.kernel_cache)
    assert finding.healthy
    assert finding.text.startswith("none, every process compiles anew: ") and reason in finding.text
    assert finding.text.endswith("; set TAPELESS_CACHE_DIR to a folder of your own")


@pytest.mark.parametrize("command", ["list", "prune"])
def test_the_commands_work(reason: str, command: str) -> None:
    result = CliRunner().invoke(main, ["cache", command])
    assert result.exit_code == 0
    expected = "no kernels are kept: " + reason if "HOME is not set" in reason else "0 kernels "
    assert result.output.startswith(expected)


def test_reproducers_need_no_folder(monkeypatch: Patch, reason: str) -> None:
    def none() -> str:
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", none)
    assert keep_reproducer("module {}") is None


def test_a_folder_that_is_not_there_yet_can_be_made(monkeypatch: Patch, tmp_path: Path) -> None:
    monkeypatch.setenv("TAPELESS_CACHE_DIR", str(tmp_path / "a" / "b"))
    assert cache_folder.obstacle() is None
