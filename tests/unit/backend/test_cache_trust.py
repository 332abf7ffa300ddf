"""The kernel cache as a trust boundary: what others could write is neither read nor written, with one warning."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from tapeless.backend import cache
from tapeless.runtime.code import CompiledCode

from . import loops

KEY = "ab" + "0" * 62
OTHER_KEY = "ab" + "1" * 62
SOMEBODY = 12345


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TAPELESS_CACHE_DIR", str(tmp_path / "above" / "kernels"))
    monkeypatch.setattr(cache._uncached, "has_warned", False)
    return tmp_path / "above" / "kernels"


@pytest.fixture(scope="module")
def code() -> CompiledCode:
    return loops.compile_loops(loops.SUM_WITH_CHECK, loops.SUM_WITH_CHECK_ABI, loops.SUM_SITES)


def entry_of(folder: Path) -> Path:
    return folder / "ab" / f"{KEY[2:]}.kernel"


def give_away(path: Path) -> None:
    os.chown(path, SOMEBODY, SOMEBODY)


def open_to_all(path: Path) -> None:
    path.chmod(path.stat().st_mode | 0o022)


LEVELS: dict[str, Callable[[Path], Path]] = {
    "above": lambda folder: folder.parent,
    "cache": lambda folder: folder,
    "subfolder": lambda folder: folder / "ab",
    "entry": entry_of,
}
MISTRUST = {"open to all": open_to_all} | ({"of somebody else": give_away} if os.geteuid() == 0 else {})


@pytest.mark.parametrize("why", MISTRUST)
@pytest.mark.parametrize("level", LEVELS)
def test_what_others_can_write_is_left_alone(folder: Path, code: CompiledCode, level: str, why: str) -> None:
    cache.store(KEY, code, {})
    assert cache.load(KEY) is not None
    MISTRUST[why](LEVELS[level](folder))
    before = sorted((str(path), path.lstat().st_mtime_ns) for path in folder.rglob("*"))
    with pytest.warns(RuntimeWarning, match="compiled kernels are not kept: .*above.*set TAPELESS_CACHE_DIR") as caught:
        assert cache.load(KEY) is None
        cache.store(KEY, code, {})
        assert cache.load(KEY) is None
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert sorted((str(path), path.lstat().st_mtime_ns) for path in folder.rglob("*")) == before
    if level in ("above", "cache"):
        assert (cache.list_entries(), cache.prune()) == ([], 0)
        assert entry_of(folder).exists()


def test_nothing_is_made_in_a_folder_of_others(folder: Path, code: CompiledCode) -> None:
    folder.parent.mkdir()
    open_to_all(folder.parent)
    with pytest.warns(RuntimeWarning, match="others may write"):
        cache.store(KEY, code, {})
    assert not folder.exists()


def make_link(path: Path, code: CompiledCode) -> None:
    target = path.with_name("elsewhere")
    target.write_bytes(code.to_bytes(KEY, {}))
    target.chmod(0o600)
    path.symlink_to(target)


KINDS: dict[str, Callable[[Path, CompiledCode], None]] = {
    "link": make_link,
    "dangling link": lambda path, code: path.symlink_to("nowhere"),
    "fifo": lambda path, code: os.mkfifo(path),
    "folder": lambda path, code: path.mkdir(),
    "empty": lambda path, code: path.touch(),
}


@pytest.mark.parametrize("kind", KINDS)
def test_anything_but_a_file_counts_as_missing(folder: Path, code: CompiledCode, kind: str) -> None:
    cache.store(OTHER_KEY, code, {})
    KINDS[kind](entry_of(folder), code)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cache.load(KEY) is None
        assert [entry.path.name for entry in cache.list_entries()] == [f"{OTHER_KEY[2:]}.kernel"]
        cache.store(KEY, code, {})
    assert (cache.load(KEY) is not None) == (kind != "folder")
    assert not list(folder.rglob("*.part"))


def test_links_to_folders_are_not_pruned(folder: Path, tmp_path: Path, code: CompiledCode) -> None:
    cache.store(KEY, code, {})
    (tmp_path / "mine").mkdir(mode=0o700)
    (tmp_path / "mine" / "precious.kernel").write_text("not of the cache")
    (folder / "cd").symlink_to(tmp_path / "mine")
    assert cache.prune() == 1
    assert (tmp_path / "mine" / "precious.kernel").exists()


@pytest.mark.parametrize("umask", [0o000, 0o077])
def test_modes_do_not_depend_on_the_umask(folder: Path, code: CompiledCode, umask: int) -> None:
    before = os.umask(umask)
    try:
        cache.store(KEY, code, {})
    finally:
        os.umask(before)
    modes = [path.stat().st_mode & 0o777 for path in (folder.parent, folder, folder / "ab", entry_of(folder))]
    assert modes == [0o700, 0o700, 0o700, 0o600]
    assert cache.load(KEY) is not None


PROGRAM = """
import numpy as np
import tapeless as tl

@tl.function
def double(x: tl.f64[:]):
    return x + x

@tl.function
def triple(x: tl.f64[:]):
    return x * 3.0

print(double(np.ones(2)), triple(np.ones(2)))
"""


def test_programs_work_without_the_cache_and_warn_once(folder: Path, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    folder.mkdir(parents=True, mode=0o777)
    folder.chmod(0o777)
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=True)
    assert done.stdout == "[2. 2.] [3. 3.]\n"
    lines = done.stderr.splitlines()
    assert len(lines) == 2 and lines[0].startswith(
        f"{program}:13: RuntimeWarning: compiled kernels are not kept: others"
    )
    assert list(folder.iterdir()) == []
