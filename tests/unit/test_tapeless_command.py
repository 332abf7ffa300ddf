"""The `tapeless` command: doctor and cache."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner, Result

import tapeless as tl
from tapeless.cli import doctor
from tapeless.cli.main import main


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TAPELESS_CACHE_DIR", str(tmp_path))
    return tmp_path


def command(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, env={"COLUMNS": "200"})


def add_files(folder: Path, sizes: list[int]) -> None:
    for index, size in enumerate(sizes):
        kernel = folder / "ab" / f"{index}.kernel"
        kernel.parent.mkdir(exist_ok=True)
        kernel.write_bytes(bytes(size))


def test_doctor_finds_every_part_in_order() -> None:
    assert [finding for finding in doctor.examine() if not finding.healthy] == []
    result = command("doctor")
    assert result.exit_code == 0
    assert all(title in result.output for title in doctor.CHECKS)


def test_doctor_reports_a_failure_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> str:
        raise OSError("the library [1] is gone")

    monkeypatch.setattr(doctor, "CHECKS", {"C runtime": broken, "Python": doctor.python_version})
    result = command("doctor")
    assert result.exit_code == 1
    assert "OSError: the library [1] is gone" in result.output
    assert doctor.python_version() in result.output


def test_doctor_notices_two_distributions_of_the_same_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        doctor.importlib.metadata, "version", lambda name: {"tapeless": "2", "tapeless-runtime": "1"}[name]
    )
    finding = doctor._examine_one("Tapeless", doctor.package_version)
    assert not finding.healthy
    assert "tapeless 2 and tapeless-runtime 1 are both installed" in finding.text


def test_an_empty_cache_is_no_error(cache_folder: Path) -> None:
    assert command("cache", "list").output == f"0 kernels in {cache_folder}\n"
    assert command("cache", "prune").output == f"0 kernels removed from {cache_folder}\n"


def test_prune_removes_everything_or_down_to_a_size(cache_folder: Path) -> None:
    add_files(cache_folder, [1000, 1000, 1000])
    assert command("cache", "prune", "--keep", "2K").output.startswith("1 kernels removed")
    assert command("cache", "prune").output.startswith("2 kernels removed")
    assert list(cache_folder.glob("*/*.kernel")) == []


@pytest.mark.parametrize("size", ["3x", "-1", "many", "1.5M"])
def test_a_size_that_is_none_is_refused(size: str) -> None:
    result = command("cache", "prune", "--keep", size)
    assert result.exit_code == 2
    assert f"{size!r} is no size; write a number of bytes such as 4096, 200K, 64M or 1G" in result.output


def test_a_cache_that_others_can_write_to_is_reported(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tapeless.backend.cache._uncached.has_warned", False)
    add_files(cache_folder, [1000])
    cache_folder.chmod(0o777)
    finding = doctor._examine_one("kernel cache", doctor.kernel_cache)
    assert not finding.healthy
    assert f"others may write to '{cache_folder}' (mode 0777)" in finding.text
    with pytest.warns(RuntimeWarning, match="compiled kernels are not kept: others may write"):
        assert command("cache", "list").output.startswith("0 kernels")
        assert command("cache", "prune").output.startswith("0 kernels removed")
    assert len(list(cache_folder.glob("*/*.kernel"))) == 1


def test_the_package_is_a_command() -> None:
    said = subprocess.run([sys.executable, "-m", "tapeless", "--help"], capture_output=True, text=True, check=True)
    assert said.stdout.startswith("Usage: tapeless ")


def names_of_commands(group: click.Group, name: str = "tapeless") -> Iterator[str]:
    for below, each in group.commands.items():
        yield f"{name} {below}"
        if isinstance(each, click.Group):
            yield from names_of_commands(each, f"{name} {below}")


@pytest.mark.parametrize("name", list(names_of_commands(main)))
def test_every_command_has_an_example(name: str) -> None:
    """It stands on a line of its own, and begins with the command."""
    lines = [line.strip() for line in command(*name.split()[1:], "--help").output.splitlines()]
    assert any(line.startswith(name) for line in lines)


def test_run_names_the_arguments_it_needs(tmp_path: Path) -> None:
    def scaled(x: tl.f64[:], k: tl.f64, shift: tl.f64 = 1.0) -> tl.f64[:]:
        return x * k + shift

    bundle, given = tmp_path / "scaled.tlk", tmp_path / "in.npz"
    tl.compile(scaled).save(bundle)
    how = "give them with --args FILE.npz, a file of numpy.savez, by name or in order"
    result = command("run", str(bundle))
    assert (result.exit_code, result.output) == (1, f"Error: there are no values for x, k; {how}\n")
    np.savez(given, x=np.ones(2))
    assert f"in.npz has nothing for k; {how}" in command("run", str(bundle), "--args", str(given)).output
    np.savez(given, np.ones(2), 3.0)
    assert command("run", str(bundle), "--args", str(given)).output == "result = [4. 4.]\n"
