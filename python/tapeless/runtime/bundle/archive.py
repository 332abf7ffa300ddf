"""The container of a saved kernel: a zip archive that ends with a digest of everything before it.

The digest is in the archive's comment, so that any program that reads zip archives reads bundles too. The same files
give the same bytes. A bundle that was cut, changed or added to is refused before anything in it is looked at.
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
            archive.writestr(_described(name), data)
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
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _files(archive)
    except NO_ARCHIVE as error:
        raise DamagedArchive(f"it cannot be read: {error}") from error


def _files(archive: zipfile.ZipFile) -> dict[str, bytes]:
    entries = archive.infolist()
    if sum(entry.file_size for entry in entries) > LARGEST_FILE:
        raise ValueError(f"it holds more than {LARGEST_FILE} bytes")
    files = {entry.filename: archive.read(entry) for entry in entries}
    if len(files) != len(entries):
        raise ValueError("it has two files of one name")
    return files


def _described(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, NO_TIME)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # not that of the writer
    entry.external_attr = 0o644 << 16
    return entry


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()
