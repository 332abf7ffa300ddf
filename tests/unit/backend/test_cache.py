"""The kernel cache: what is stored is found again, damage is noticed, processes do not disturb each other."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tapeless.backend import cache
from tapeless.backend.room import Room
from tapeless.backend.toolchain import source_stamps, toolchain_digest
from tapeless.errors import ArgumentError
from tapeless.runtime.code import MAGIC, CompiledCode, DamagedCode
from tapeless.runtime.processor import processor

from . import loops

KEY = "ab" + "0" * 62


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TAPELESS_CACHE_DIR", str(tmp_path / "kernels"))
    return tmp_path / "kernels"


@pytest.fixture(scope="module")
def code() -> CompiledCode:
    return loops.compile_loops(loops.SUM_WITH_CHECK, loops.SUM_WITH_CHECK_ABI, loops.SUM_SITES)


def entry_file(folder: Path) -> Path:
    return next(folder.glob("*/*.kernel"))


def test_what_is_stored_is_found(folder: Path, code: CompiledCode) -> None:
    assert cache.load(KEY) is None
    cache.store(KEY, code, {"function": "checked_sum"})
    found = cache.load(KEY)
    assert found is not None
    assert (found.abi, found.sites, found.image.code) == (code.abi, code.sites, code.image.code)
    assert [entry.description["function"] for entry in cache.list_entries()] == ["checked_sum"]
    assert not list(folder.glob("*/*.part"))


def test_every_changed_byte_is_noticed(code: CompiledCode) -> None:
    data = code.to_bytes(KEY, {})
    for position in range(0, len(data), 97):
        damaged = bytearray(data)
        damaged[position] ^= 1
        with pytest.raises(DamagedCode):
            CompiledCode.from_bytes(bytes(damaged), KEY)
    for length in (0, 5, len(MAGIC), len(data) // 2, len(data) - 1):
        with pytest.raises(DamagedCode):
            CompiledCode.from_bytes(data[:length], KEY)


def test_a_damaged_entry_counts_as_missing_and_is_replaced(folder: Path, code: CompiledCode) -> None:
    cache.store(KEY, code, {})
    entry_file(folder).write_bytes(b"not a kernel")
    assert cache.load(KEY) is None
    assert cache.list_entries() == []
    cache.store(KEY, code, {})
    assert cache.load(KEY) is not None


def test_the_entries_used_longest_ago_go_first(
    folder: Path, code: CompiledCode, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = [f"{number:02}" + "1" * 62 for number in range(4)]
    for age, key in enumerate(keys):
        cache.store(key, code, {"number": age})
    files = {key: folder / key[:2] / f"{key[2:]}.kernel" for key in keys}
    for age, key in enumerate(keys):
        os.utime(files[key], (1000 + age, 1000 + age))
    assert cache.load(keys[0]) is not None
    size = files[keys[0]].stat().st_size
    assert cache.prune(2 * size) == 2
    assert [key for key in keys if files[key].exists()] == [keys[0], keys[3]]
    monkeypatch.setenv("TAPELESS_CACHE_BYTES", str(size))
    cache.store(keys[1], code, {"number": 1})
    assert [key for key in keys if files[key].exists()] == [keys[1]]
    assert cache.prune() == 1
    assert cache.list_entries() == []


def test_entries_are_not_counted_each_time(folder: Path, code: CompiledCode, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting takes longer the more entries there are; the limit holds all the same."""
    counts: list[str] = []
    counted = cache._files
    monkeypatch.setattr(cache, "_files", lambda suffix: counts.append(suffix) or counted(suffix))
    for number in range(20):
        cache.store(f"{number:02}" + "1" * 62, code, {})
    assert counts.count(cache.SUFFIX) == 1
    size = sum(path.stat().st_size for path in folder.glob("*/*.kernel")) // 20
    monkeypatch.setenv("TAPELESS_CACHE_BYTES", str(8 * size))
    for number in range(20, 40):
        cache.store(f"{number:02}" + "1" * 62, code, {})
        assert len(list(folder.glob("*/*.kernel"))) <= 8


def test_leftovers_of_killed_writers_go(folder: Path, code: CompiledCode, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a process adds its first entry."""
    cache.store(KEY, code, {})
    monkeypatch.setattr(cache, "_room", Room())
    old, new = (entry_file(folder).with_name(name) for name in ("old.part", "new.part"))
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (1000, 1000))
    cache.store(KEY, code, {})
    assert not old.exists() and new.exists()


def test_a_capacity_that_is_no_number_is_refused(
    folder: Path, code: CompiledCode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAPELESS_CACHE_BYTES", "1GB")
    with pytest.raises(ArgumentError, match="TAPELESS_CACHE_BYTES='1GB' is not a number of bytes"):
        cache.store(KEY, code, {})


def test_a_folder_that_cannot_be_made_is_no_error(
    tmp_path: Path, code: CompiledCode, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("TAPELESS_CACHE_DIR", str(tmp_path / "file" / "kernels"))
    cache.store(KEY, code, {})
    assert cache.load(KEY) is None


WRITER = """
import sys
from pathlib import Path
from tapeless.backend import cache
from tapeless.backend.room import Room
from tapeless.runtime.code import CompiledCode
code = CompiledCode.from_bytes(Path(sys.argv[1]).read_bytes(), "{key}")
for _ in range(150):
    cache.store("{key}", code, {{}})
    found = cache.load("{key}")
    assert found is not None and found.image == code.image
"""


def test_processes_that_write_the_same_entry_see_only_whole_ones(
    folder: Path, tmp_path: Path, code: CompiledCode
) -> None:
    kernel = tmp_path / "code"
    kernel.write_bytes(code.to_bytes(KEY, {}))
    command = [sys.executable, "-c", WRITER.format(key=KEY), str(kernel)]
    writers = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(3)]
    outcomes = [(writer.communicate()[1].decode(), writer.returncode) for writer in writers]
    assert outcomes == [("", 0)] * 3
    assert not list(folder.glob("*/*.part"))


def test_the_toolchain_digest_covers_sources_and_processor() -> None:
    stamps = "\n".join(source_stamps())
    for part in ("backend/codegen/llvm.py", "lower/llvm/to_llvm.py", "dialects/context.py"):
        assert part in stamps
    assert processor()
    assert len(toolchain_digest()) == 64
