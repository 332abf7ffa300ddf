"""Which folders and files are trusted: owner, mode and links at every level, and what is made here."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tapeless.backend import private_files
from tapeless.backend.private_files import NotPrivate, check_entry, read_private, trusted_folder, write_private

SOMEBODY = 12345
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three levels: `above/cache/ab`."""
    return trusted_folder(tmp_path / "above" / "cache", "ab", create=True).parent


@pytest.fixture(params=[0o000, 0o002, 0o022, 0o077, 0o277])
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def test_every_level_that_is_made_is_private_whatever_the_umask(umask: None, tmp_path: Path) -> None:
    made = trusted_folder(tmp_path / "a" / "b", "c", create=True)
    write_private(made / "file", b"data", ".part")
    assert {mode(tmp_path / "a"), mode(tmp_path / "a/b"), mode(made)} == {0o700}
    assert mode(made / "file") == 0o600
    assert os.listdir(made) == ["file"]
    assert read_private(made / "file", 10) == b"data"


def test_nothing_is_made_unless_asked_for(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        trusted_folder(tmp_path / "a", "b")
    assert not (tmp_path / "a").exists()


# What is done to a level, and the levels at which this is no reason for mistrust.
MODES = {
    0o777: (),
    0o702: (),
    0o770: ("above",),
    0o720: ("above",),
    0o755: ("above", "cache", "ab"),
    0o1777: ("above",),
}


@pytest.mark.parametrize("level", ["above", "cache", "ab"])
@pytest.mark.parametrize("bits", MODES, ids=oct)
def test_folders_that_others_may_write_to(folder: Path, monkeypatch: pytest.MonkeyPatch, level: str, bits: int) -> None:
    monkeypatch.setattr(private_files, "_is_private_group", lambda path, status: True)
    path = {"above": folder.parent, "cache": folder, "ab": folder / "ab"}[level]
    path.chmod(bits)
    if level in MODES[bits]:
        assert trusted_folder(folder, "ab") == folder / "ab"
    else:
        with pytest.raises(NotPrivate, match=rf"others may write to '{path}' \(mode {bits:04o}\)"):
            trusted_folder(folder, "ab", create=True)


def test_a_group_with_others_in_it_is_not_trusted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import grp

    folder.parent.chmod(0o775)
    own = grp.getgrgid(folder.parent.stat().st_gid)
    shared = grp.struct_group((own.gr_name, own.gr_passwd, own.gr_gid, ["somebody"]))
    monkeypatch.setattr(grp, "getgrgid", lambda gid: shared)
    with pytest.raises(NotPrivate, match="others may write"):
        trusted_folder(folder, "ab")


@AS_ROOT
@pytest.mark.parametrize("level", ["above", "cache", "ab"])
def test_folders_of_others(folder: Path, level: str) -> None:
    path = {"above": folder.parent, "cache": folder, "ab": folder / "ab"}[level]
    os.chown(path, SOMEBODY, SOMEBODY)
    with pytest.raises(NotPrivate, match=f"'{path}' belongs to user {SOMEBODY}"):
        trusted_folder(folder, "ab", create=True)


def test_links_are_followed_to_what_is_trusted(folder: Path, tmp_path: Path) -> None:
    for number, target in enumerate([str(folder), "above/cache", "./above/../above//cache", str(tmp_path / "link0")]):
        link = tmp_path / f"link{number}"
        link.symlink_to(target)
        assert trusted_folder(link, "ab") == folder / "ab"
    folder.chmod(0o777)
    with pytest.raises(NotPrivate):
        trusted_folder(tmp_path / "link0", "ab")


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(NotPrivate, match="more than 40 links"):
        trusted_folder(tmp_path / "a", "ab", create=True)


@AS_ROOT
def test_links_of_others_are_not_followed(folder: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(folder)
    os.lchown(link, SOMEBODY, SOMEBODY)
    with pytest.raises(NotPrivate, match=f"the link '{link}' belongs to user {SOMEBODY}"):
        trusted_folder(link, "ab")


def test_a_file_in_the_way_is_no_matter_of_trust(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError):
        trusted_folder(tmp_path / "file", "ab", create=True)


def make_link(path: Path) -> None:
    (path.parent / "target").write_bytes(b"data")
    path.symlink_to("target")


KINDS: dict[str, Callable[[Path], object]] = {
    "symbolic link": make_link,
    "dangling link": lambda path: path.symlink_to("nowhere"),
    "fifo": os.mkfifo,
    "folder": Path.mkdir,
    "socket": lambda path: os.mknod(path, stat.S_IFSOCK | 0o600),
    "missing": lambda path: None,
    "too large": lambda path: write_private(path, bytes(101), ".part"),
}
if os.geteuid() == 0:
    KINDS["device"] = lambda path: os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 5))


@pytest.mark.parametrize("kind", KINDS)
def test_only_regular_files_are_read(folder: Path, kind: str) -> None:
    path = folder / "ab" / "entry"
    KINDS[kind](path)
    with pytest.raises(OSError) as caught:
        read_private(path, 100)
    assert not isinstance(caught.value, NotPrivate)
    check_entry(path)


@pytest.mark.parametrize("bits", [0o666, 0o620, 0o602])
def test_files_that_others_may_write_to(folder: Path, bits: int) -> None:
    path = folder / "ab" / "entry"
    write_private(path, b"data", ".part")
    path.chmod(bits)
    for use in (lambda: read_private(path, 100), lambda: check_entry(path)):
        with pytest.raises(NotPrivate, match=rf"others may write to '{path}' \(mode {bits:04o}\)"):
            use()


@AS_ROOT
def test_files_of_others(folder: Path) -> None:
    path = folder / "ab" / "entry"
    write_private(path, b"data", ".part")
    os.chown(path, SOMEBODY, SOMEBODY)
    for use in (lambda: read_private(path, 100), lambda: check_entry(path)):
        with pytest.raises(NotPrivate, match=f"'{path}' belongs to user {SOMEBODY}"):
            use()


def test_writing_replaces_a_link_and_not_what_it_leads_to(folder: Path) -> None:
    path = folder / "ab" / "entry"
    make_link(path)
    write_private(path, b"new", ".part")
    assert path.read_bytes() == b"new" and not path.is_symlink()
    assert (path.parent / "target").read_bytes() == b"data"


def test_a_write_that_fails_leaves_nothing(folder: Path) -> None:
    (folder / "ab" / "entry").mkdir()
    with pytest.raises(IsADirectoryError):
        write_private(folder / "ab" / "entry", b"new", ".part")
    assert os.listdir(folder / "ab") == ["entry"]


def test_no_descriptor_is_left_open(folder: Path) -> None:
    (folder / "ab" / "folder").mkdir()
    write_private(folder / "ab" / "entry", b"data", ".part")
    before = len(os.listdir("/proc/self/fd"))
    for name in ("folder", "entry", "missing"):
        for _ in range(5):
            with contextlib.suppress(OSError):
                read_private(folder / "ab" / name, 100)
    assert len(os.listdir("/proc/self/fd")) == before
