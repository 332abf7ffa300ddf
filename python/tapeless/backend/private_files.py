"""Files that nobody but this user and root can have written, checked as `ssh` checks its keys.

A folder is trusted when it and every folder above it belong to this user or root and nobody else may write to them. A
folder above may be open to all if it has the sticky bit, as /tmp has: nobody can replace what others own there; and to
a group that nobody else is in. Links on the way must belong to this user or root, too. Once a folder is trusted, others
cannot change what it leads to, so the check holds until it is used.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
READING = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
CREATING = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
MOST_LINKS = 40
ACCESS_LIST = "system.posix_acl_access"


class NotPrivate(OSError):
    """Somebody else could write to a folder or file; the message says which and why."""


def trusted_folder(path: Path, inside: str = "", *, create: bool = False) -> Path:
    """The folder `path/inside` without links, once it is trusted; raises NotPrivate, or OSError if it cannot be had.

    With `create`, missing folders are made at every level, for this user alone.
    """
    own_levels = 1 if inside else 0
    names = list(reversed(Path(os.path.abspath(path / inside)).parts[1:]))
    reached, links = "/", 0
    _check(reached, os.lstat(reached), is_own=len(names) <= own_levels)
    while names:
        step = _step(reached, names.pop())
        status = _status(step, create)
        if stat.S_ISLNK(status.st_mode):
            links += 1
            reached = _follow(reached, step, status, names, links)
        else:
            _check(step, status, is_own=len(names) <= own_levels)
            reached = step
    return Path(reached)


def _step(folder: str, name: str) -> str:
    return os.path.dirname(folder) if name == ".." else os.path.join(folder, name)


def _status(path: str, create: bool) -> os.stat_result:
    try:
        return os.lstat(path)
    except FileNotFoundError:
        if not create:
            raise
    try:
        os.mkdir(path, PRIVATE_FOLDER)
        os.chmod(path, PRIVATE_FOLDER)
    except FileExistsError:  # another process was faster
        pass
    return os.lstat(path)


def _follow(folder: str, link: str, status: os.stat_result, names: list[str], links: int) -> str:
    """Where to go on from a link, whose target is put before the names still to be followed."""
    if not _is_ours(status):
        raise NotPrivate(f"the link '{link}' belongs to user {status.st_uid}")
    if links > MOST_LINKS:
        raise NotPrivate(f"'{link}' leads through more than {MOST_LINKS} links")
    target = os.readlink(link)
    names += [name for name in reversed(target.split("/")) if name not in ("", ".")]
    return "/" if target.startswith("/") else folder


def _check(path: str, status: os.stat_result, is_own: bool) -> None:
    """Folders made for Tapeless (`is_own`) are for this user alone, whatever may hold for those above."""
    if not stat.S_ISDIR(status.st_mode):
        raise NotADirectoryError(f"'{path}' is no folder")
    if not _is_ours(status):
        raise NotPrivate(f"'{path}' belongs to user {status.st_uid}")
    if status.st_mode & OTHERS_WRITE and (is_own or not _is_harmless(path, status)):
        raise NotPrivate(f"others may write to '{path}' (mode {stat.S_IMODE(status.st_mode):04o})")


def _is_harmless(path: str, status: os.stat_result) -> bool:
    """Whether those who may write to a folder cannot replace this user's files in it, or are nobody else."""
    if status.st_mode & stat.S_ISVTX:
        return True
    return not status.st_mode & stat.S_IWOTH and _is_private_group(path, status)


def _is_ours(status: os.stat_result) -> bool:
    return status.st_uid in (os.geteuid(), 0)


def _is_private_group(path: str, status: os.stat_result) -> bool:
    """Whether nobody else is in the group, as where every user has a group of their own name."""
    import grp
    import pwd

    try:
        owner, group = pwd.getpwuid(status.st_uid), grp.getgrgid(status.st_gid)
        has_access_list = ACCESS_LIST in os.listxattr(path)
    except (KeyError, OSError):
        return False
    is_own = (group.gr_gid, group.gr_name) == (owner.pw_gid, owner.pw_name)
    return is_own and set(group.gr_mem) <= {owner.pw_name} and not has_access_list


def is_private_folder(path: str) -> bool:
    """Whether a path in a trusted folder is a folder, and no link to one, that can be trusted as well."""
    status = os.lstat(path)
    return stat.S_ISDIR(status.st_mode) and _is_ours(status) and not status.st_mode & OTHERS_WRITE


def read_private(path: Path, most_bytes: int) -> bytes:
    """The bytes of a regular file in a trusted folder; raises NotPrivate if others may have written them."""
    handle = os.open(path, READING)
    try:
        status = os.fstat(handle)
        _check_file(path, status)
        if not stat.S_ISREG(status.st_mode) or status.st_size > most_bytes:
            raise OSError(f"'{path}' is no regular file of at most {most_bytes} bytes")
        with open(handle, "rb", closefd=False) as file:
            return file.read(most_bytes)
    finally:
        os.close(handle)


def check_entry(path: Path) -> None:
    """Raises NotPrivate if there is a file that others may have written, which then is left as it is."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return
    _check_file(path, status)


def _check_file(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        return
    if not _is_ours(status):
        raise NotPrivate(f"'{path}' belongs to user {status.st_uid}")
    if status.st_mode & OTHERS_WRITE:
        raise NotPrivate(f"others may write to '{path}' (mode {stat.S_IMODE(status.st_mode):04o})")


def write_private(path: Path, data: bytes, part_suffix: str) -> None:
    """Writes a file into a trusted folder so that readers see the old contents or the new, never a part."""
    temporary = path.with_name(f"{os.urandom(16).hex()}{part_suffix}")
    handle = os.open(temporary, CREATING, PRIVATE_FILE)
    try:
        os.fchmod(handle, PRIVATE_FILE)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
