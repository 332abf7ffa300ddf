"""Files that nobody but this user and root can have written, checked as `ssh` checks its keys.

A folder is trusted when it and every folder above it belong to this user or root and nobody else may write to them. A
folder above may be open to all if it has the sticky bit, as /tmp has: nobody can replace what others own there. Links
on the way must belong to this user or root, too. Once a folder is trusted, others cannot change what it leads to, so
the check holds until it is used.
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


def trusted_folder(path: Path, *, create: bool = False) -> Path:
    """The folder without links, once it is trusted; raises NotPrivate, or another OSError if it cannot be had.

    With `create`, missing folders are made at every level, for this user alone.
    """
    reached, names, links = "/", list(reversed(Path(os.path.abspath(path)).parts[1:])), 0
    _check(reached, os.lstat(reached), is_last=not names)
    while names:
        name = names.pop()
        step = os.path.dirname(reached) if name == ".." else os.path.join(reached, name)
        status = _status(step, create)
        if stat.S_ISLNK(status.st_mode):
            links += 1
            reached = _follow(reached, step, status, names, links)
            continue
        _check(step, status, is_last=not names)
        reached = step
    return Path(reached)


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
    """Where to go on from a link; what it says is put before the names still to be followed."""
    if not _is_ours(status):
        raise NotPrivate(f"the link '{link}' belongs to user {status.st_uid}")
    if links > MOST_LINKS:
        raise NotPrivate(f"'{link}' leads through more than {MOST_LINKS} links")
    target = os.readlink(link)
    names += [name for name in reversed(target.split("/")) if name not in ("", ".")]
    return "/" if target.startswith("/") else folder


def _check(path: str, status: os.stat_result, is_last: bool) -> None:
    if not stat.S_ISDIR(status.st_mode):
        raise NotPrivate(f"'{path}' is no folder")
    if not _is_ours(status):
        raise NotPrivate(f"'{path}' belongs to user {status.st_uid}")
    is_sticky = status.st_mode & stat.S_ISVTX and not is_last
    if not is_sticky and _others_may_write(path, status):
        raise NotPrivate(f"others may write to '{path}' (mode {stat.S_IMODE(status.st_mode):04o})")


def _is_ours(status: os.stat_result) -> bool:
    return status.st_uid in (os.geteuid(), 0)


def _others_may_write(path: str | int, status: os.stat_result) -> bool:
    if not status.st_mode & OTHERS_WRITE:
        return False
    return bool(status.st_mode & stat.S_IWOTH) or not _is_private_group(path, status)


def _is_private_group(path: str | int, status: os.stat_result) -> bool:
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


def read_private(path: Path, most_bytes: int) -> bytes:
    """The bytes of a regular file in a trusted folder, whose time becomes now; raises NotPrivate for anything else."""
    handle = os.open(path, READING)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise NotPrivate(f"'{path}' is no regular file")
        if not _is_ours(status):
            raise NotPrivate(f"'{path}' belongs to user {status.st_uid}")
        if _others_may_write(handle, status):
            raise NotPrivate(f"others may write to '{path}' (mode {stat.S_IMODE(status.st_mode):04o})")
        if status.st_size > most_bytes:
            raise OSError(f"'{path}' has {status.st_size} bytes")
        with os.fdopen(os.dup(handle), "rb") as file:
            return file.read(most_bytes)
    finally:
        os.close(handle)


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
