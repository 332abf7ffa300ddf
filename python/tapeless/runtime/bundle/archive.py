"""The container of a saved kernel: a zip archive that ends with a digest of everything before it.

The digest is in the archive's comment, so that any program that reads zip archives reads bundles too. The same files
give the same bytes. A bundle that was cut, changed or added to is refused before anything in it is looked at.

Whoever makes a bundle can make its digest, too, so reading takes no more time and memory than a bundle of that size
may: files are as they are or deflated, all of them together have at most `MOST_TIMES` the size of the bundle (what
shrinks more is not deflated when it is packed), and the list of files has the size of a list of a few hundred.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
import zlib
from collections.abc import Mapping

BEGINNING = b"PK\x03\x04"
LABEL = b"tapeless bundle sha256 "
DIGEST_LETTERS = 64
LARGEST_FILE = 1 << 30
# How much larger than a bundle what is in it may be, and how large anything may be.
MOST_TIMES, SMALL = 20, 8 << 20
# The record that ends the list of files, the one that stands before it in archives of more than 4 GiB, and the list.
END, END_BYTES, LARGER_END, LARGER_BYTES = b"PK\x05\x06", 22, b"PK\x06\x07", 20
LIST_SIZE = slice(12, 16)
MOST_LISTED = 1 << 18
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# The earliest time that archives can name: when a bundle was written is no part of it.
NO_TIME = (1980, 1, 1, 0, 0, 0)
# What reading an archive raises that is none, though its digest is right.
NO_ARCHIVE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, KeyError)


class DamagedArchive(ValueError):
    """The bytes are no whole archive of ours."""


def pack(files: Mapping[str, bytes]) -> bytes:
    """The archive of some files, by their names in it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(_described(name, data), data)
        archive.comment = LABEL + bytes(DIGEST_LETTERS)
    sealed = buffer.getvalue()[:-DIGEST_LETTERS]
    return sealed + _digest(sealed)


def unpack(data: bytes) -> dict[str, bytes]:
    """The files of an archive that `pack` made; raises DamagedArchive for anything else."""
    if not data.startswith(BEGINNING):
        raise DamagedArchive("it does not begin as a bundle does")
    sealed, digest = data[:-DIGEST_LETTERS], data[-DIGEST_LETTERS:]
    if not sealed.endswith(LABEL):
        raise DamagedArchive("it does not end as a bundle does: it was cut, or is another kind of file")
    if digest != _digest(sealed):
        raise DamagedArchive("its checksum does not agree: it was changed")
    _check_list(sealed[: -len(LABEL)])
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _files(archive, len(data))
    except NO_ARCHIVE as error:
        raise DamagedArchive(f"it cannot be read: {error}") from error


def _check_list(data: bytes) -> None:
    """The list of files is read before any of its entries can be looked at, so its size must be one."""
    end = data[-END_BYTES:]
    if not end.startswith(END) or data[: -len(end)][-LARGER_BYTES:].startswith(LARGER_END):
        raise DamagedArchive("it does not end as a bundle does")
    if int.from_bytes(end[LIST_SIZE], "little") > MOST_LISTED:
        raise DamagedArchive("it has too many files")


def _files(archive: zipfile.ZipFile, size: int) -> dict[str, bytes]:
    entries = archive.infolist()
    if sum(entry.file_size for entry in entries) > min(LARGEST_FILE, max(SMALL, MOST_TIMES * size)):
        raise ValueError("what it holds is too large for its size")
    if any(entry.compress_type not in METHODS for entry in entries):
        raise ValueError("a file in it is compressed in a way that bundles do not use")
    files = {entry.filename: _contents(archive, entry) for entry in entries}
    if len(files) != len(entries):
        raise ValueError("it has two files of one name")
    return files


def _contents(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """No more than the size that the entry names is ever inflated."""
    with archive.open(entry) as file:
        data = file.read(entry.file_size)
    if len(data) != entry.file_size:
        raise ValueError("a file in it is shorter than it says")
    return data


def _described(name: str, data: bytes) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, NO_TIME)
    shrinks_too_much = len(data) > SMALL and MOST_TIMES * len(zlib.compress(data)) < len(data)
    entry.compress_type = zipfile.ZIP_STORED if shrinks_too_much else zipfile.ZIP_DEFLATED
    entry.create_system = 3  # not that of the writer
    entry.external_attr = 0o644 << 16
    return entry


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()
