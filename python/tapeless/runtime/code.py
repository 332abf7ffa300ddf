"""A compiled kernel as plain data, and its form in a file: a checksum, a JSON manifest, and the code.

What is read from a file is believed field by field: the manifest has a checksum and names the key it was stored under,
the runtime it calls and the digest of its image; then the image and the calling contract are checked for what no
kernel can have. Whatever does not fit is a DamagedCode, before anything is put into memory.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import replace
from typing import Any

from tapeless.abi import Abi, Site, sites_from_json, sites_to_json
from tapeless.dataclasses_on_use import dataclass
from tapeless.runtime.contract import has_lists, is_abi, is_site, is_structure
from tapeless.runtime.cuda.image import DeviceImage
from tapeless.runtime.image import Image
from tapeless.runtime.image_checks import is_sound
from tapeless.runtime.library import ABI_VERSION
from tapeless.runtime.structures import Structure, structure_from_json, structure_to_json

MAGIC = b"tapeless kernel 2\n"
DIGEST_BYTES = 32
LENGTH_BYTES = 8
# What reading fields that are missing, or of another type than expected, raises.
MALFORMED = (ValueError, TypeError, LookupError, AttributeError, RecursionError)


class DamagedCode(ValueError):
    """The bytes are not a complete compiled kernel."""


@dataclass(frozen=True)
class CompiledCode:
    """Compiled code for calls: the linked code, the name of its entry, the calling contract, and where it can fail."""

    entry: str
    image: Image | DeviceImage
    abi: Abi
    sites: tuple[Site, ...]
    structure: Structure = 0

    def to_bytes(self, key: str, description: dict[str, Any]) -> bytes:
        """The file form of an entry under a key; `description` is for people who list the cache."""
        stored = replace(self, image=self.image.stored())
        manifest = {**identity(key), "description": description, **stored.fields()}
        text = json.dumps(manifest).encode()
        length = len(text).to_bytes(LENGTH_BYTES, "little")
        return MAGIC + hashlib.sha256(text).digest() + length + text + stored.image.code

    @staticmethod
    def from_bytes(data: bytes, key: str) -> CompiledCode:
        """Reads the file form of an entry under a key; raises DamagedCode unless everything fits together."""
        manifest, code = split(data)
        if not all(_is_same(manifest.get(name), value) for name, value in identity(key).items()):
            raise DamagedCode("the manifest does not fit its key or the runtime")
        if type(manifest.get("description")) is not dict:
            raise DamagedCode("the manifest has no description")
        return CompiledCode.from_fields(manifest, code)

    def fields(self) -> dict[str, Any]:
        """Everything but the code itself, as JSON keeps it."""
        return {
            "entry": self.entry,
            "abi": self.abi.to_json(),
            "sites": sites_to_json(self.sites),
            "structure": structure_to_json(self.structure),
            **self.image.links(self.entry),
            "image": image_digest(self.image, self.entry),
        }

    @staticmethod
    def from_fields(fields: dict[str, Any], code: bytes) -> CompiledCode:
        """The inverse of `fields`; raises DamagedCode unless everything fits together."""
        try:
            made = _assembled(fields, code)
            is_whole = _is_whole(made, fields)
        except MALFORMED as error:
            raise DamagedCode(f"a field of the manifest is missing or malformed: {error!r}") from error
        if not is_whole:
            raise DamagedCode("the manifest does not fit the code")
        return made


def identity(key: str) -> dict[str, Any]:
    """The identity in a manifest, which says where it belongs."""
    return {"key": key, "machine": os.uname().machine, "runtime": ABI_VERSION}


def _assembled(fields: dict[str, Any], code: bytes) -> CompiledCode:
    return CompiledCode(
        entry=fields["entry"],
        image=(DeviceImage if "plan" in fields else Image).from_links(fields, code),
        abi=Abi.from_json(fields["abi"]),
        sites=sites_from_json(fields["sites"]),
        structure=structure_from_json(fields["structure"]),
    )


def _is_whole(made: CompiledCode, fields: dict[str, Any]) -> bool:
    return (
        has_lists(json.loads(fields["abi"]), json.loads(fields["sites"]))
        and is_abi(made.abi)
        and _is_sound(made)
        and _is_same(fields["image"], image_digest(made.image, made.entry))
        and all(map(is_site, made.sites))
        and is_structure(made.structure, len(made.abi.results))
    )


def _is_sound(made: CompiledCode) -> bool:
    if isinstance(made.image, DeviceImage):
        return made.image.is_sound(made.abi)
    return is_sound(made.image) and list(made.image.exports) == [made.entry]


def _is_same(found: Any, expected: Any) -> bool:
    return type(found) is type(expected) and found == expected


def image_digest(image: Image | DeviceImage, entry: str) -> str:
    """A digest of the code and of everything the loader does with it."""
    links = json.dumps(image.links(entry))
    return hashlib.sha256(links.encode() + b"\0" + image.identity()).hexdigest()


def split(data: bytes) -> tuple[dict[str, Any], bytes]:
    """Manifest and code; raises DamagedCode unless the manifest is whole."""
    start = len(MAGIC) + DIGEST_BYTES + LENGTH_BYTES
    length = int.from_bytes(data[start - LENGTH_BYTES : start], "little")
    if not data.startswith(MAGIC) or len(data) < start + length:
        raise DamagedCode("not a compiled kernel of this version")
    text = data[start : start + length]
    if hashlib.sha256(text).digest() != data[len(MAGIC) : len(MAGIC) + DIGEST_BYTES]:
        raise DamagedCode("the checksum does not agree")
    try:
        manifest = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DamagedCode("the manifest is no JSON") from error
    if not isinstance(manifest, dict):
        raise DamagedCode("the manifest is no table")
    return manifest, data[start + length :]
