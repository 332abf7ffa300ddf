"""A compiled kernel as plain data, and its form in a file: a checksum, a JSON manifest, and the code."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from tapeless.abi import Abi, Site, sites_from_json, sites_to_json
from tapeless.runtime.image import Image

# How flat results make up the Python result: the position of one, or a tuple of structures for a tuple.
Structure = int | tuple["Structure", ...]

MAGIC = b"tapeless kernel 1\n"
DIGEST_BYTES = 32
LENGTH_BYTES = 8


class DamagedCode(ValueError):
    """The bytes are not a complete compiled kernel."""


class RejectedCode(RuntimeError):
    """Code that was generated here and that LLVM or the linker does not take."""


@dataclass(frozen=True)
class CompiledCode:
    """What a call needs: the linked code, the name of its entry, the calling contract, and where it can fail."""

    entry: str
    image: Image
    abi: Abi
    sites: tuple[Site, ...]
    structure: Structure = 0

    def to_bytes(self, description: dict[str, Any]) -> bytes:
        """The file form; `description` says what the kernel is, for people who list the cache."""
        manifest = {
            "description": description,
            "entry": self.entry,
            "abi": self.abi.to_json(),
            "sites": sites_to_json(self.sites),
            "structure": self.structure,
            "writable_from": self.image.writable_from,
            "exports": {self.entry: self.image.exports[self.entry]},
            "imports": self.image.imports,
            "absolutes": self.image.absolutes,
        }
        text = json.dumps(manifest).encode()
        body = len(text).to_bytes(LENGTH_BYTES, "little") + text + self.image.code
        return MAGIC + hashlib.sha256(body).digest() + body

    @staticmethod
    def from_bytes(data: bytes) -> CompiledCode:
        """Reads the file form; raises DamagedCode when anything is missing or changed."""
        body = checked_body(data)
        manifest, code = split_body(body)
        image = Image(
            code,
            manifest["writable_from"],
            manifest["exports"],
            manifest["imports"],
            tuple((place, offset) for place, offset in manifest["absolutes"]),
        )
        sites = sites_from_json(manifest["sites"])
        structure = nested_tuples(manifest["structure"])
        return CompiledCode(manifest["entry"], image, Abi.from_json(manifest["abi"]), sites, structure)


def nested_tuples(lists: Any) -> Structure:
    """A structure as JSON keeps it, with tuples again instead of lists."""
    return lists if isinstance(lists, int) else tuple(nested_tuples(part) for part in lists)


def checked_body(data: bytes) -> bytes:
    """What follows the checksum, once the checksum agrees."""
    start = len(MAGIC) + DIGEST_BYTES
    if not data.startswith(MAGIC) or len(data) < start + LENGTH_BYTES:
        raise DamagedCode("not a compiled kernel of this version")
    if hashlib.sha256(data[start:]).digest() != data[len(MAGIC) : start]:
        raise DamagedCode("the checksum does not agree")
    return data[start:]


def split_body(body: bytes) -> tuple[dict[str, Any], bytes]:
    """Manifest and code."""
    end = LENGTH_BYTES + int.from_bytes(body[:LENGTH_BYTES], "little")
    return json.loads(body[LENGTH_BYTES:end]), body[end:]
