"""The contents of a saved kernel: its interface, and for every target named parts with the data to run them.

`manifest.json` in the archive describes it all:

    {"format": "tapeless bundle", "version": 1, "made_by": "0.2.0", "interface": {...}, "signature": "f(x: tl.f64[:])",
     "targets": [{"kind": "cpu", "name": "x86_64-avx2", "details": {...},
                  "parts": {"kernel.o": {"file": "x86_64-avx2/kernel.o", "bytes": 5120, "sha256": "..."}, ...}}, ...]}

Targets are listed in the order in which they are tried. `details` and the names of parts belong to the kind of target
(`kinds.py`); everything else is the same for all.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from tapeless.dataclasses_on_use import dataclass
from tapeless.runtime.bounded_json import read_json
from tapeless.runtime.bundle.archive import pack, unpack
from tapeless.runtime.interface import Interface

MANIFEST = "manifest.json"
FORMAT = "tapeless bundle"
VERSION = 2
"""Version 2 has structures that are no tuples; what has none is written as version 1."""


class UnreadableBundle(ValueError):
    """The archive is whole, but not of a form that this version of Tapeless reads."""


class NewerBundle(ValueError):
    """A later version of Tapeless wrote it in a way that this one does not know."""


@dataclass(frozen=True)
class SavedTarget:
    """Code for one target: the kind that loads it, its name, the kind's entry in the manifest, and named parts."""

    kind: str
    name: str
    details: Mapping[str, Any]
    parts: Mapping[str, bytes]

    def file_of(self, part: str) -> str:
        """Where a part is in the archive."""
        return f"{self.name.replace(':', '-')}/{part}"

    def digests(self) -> list[str]:
        """The checksums of the parts, in order."""
        return [hashlib.sha256(data).hexdigest() for data in self.parts.values()]


@dataclass(frozen=True)
class Bundle:
    """The contents of a saved kernel."""

    interface: Interface
    signature: str
    targets: tuple[SavedTarget, ...]
    made_by: str
    version: int = 1

    def to_bytes(self) -> bytes:
        """The file; raises ArgumentError if the interface cannot be kept in one."""
        manifest = {
            "format": FORMAT,
            "version": self.version,
            "made_by": self.made_by,
            "interface": self.interface.to_json(),
            "signature": self.signature,
            "targets": [_target_to_json(target) for target in self.targets],
        }
        files = {MANIFEST: json.dumps(manifest, indent=1).encode()}
        for target in self.targets:
            files |= {target.file_of(part): data for part, data in target.parts.items()}
        return pack(files)

    @staticmethod
    def from_bytes(data: bytes) -> Bundle:
        """Reads and checks a file.

        Raises DamagedArchive, NewerBundle, UnreadableBundle, or what missing and wrong fields raise.
        """
        files = unpack(data)
        manifest = read_json(files.pop(MANIFEST))
        _check_version(manifest)
        targets = tuple(_target_from_json(entry, files) for entry in manifest["targets"])
        if set(files) != {target.file_of(part) for target in targets for part in target.parts}:
            raise UnreadableBundle("it has files that its manifest does not name")
        if len({target.name for target in targets}) != len(targets):
            raise UnreadableBundle("it names a target twice")
        signature, made_by = manifest["signature"], manifest["made_by"]
        if not (type(signature) is str and type(made_by) is str):
            raise UnreadableBundle("its signature, or who made it, is no text")
        return Bundle(Interface.from_json(manifest["interface"]), signature, targets, made_by, manifest["version"])


def _check_version(manifest: Any) -> None:
    if type(manifest) is not dict or manifest.get("format") != FORMAT:
        raise UnreadableBundle("its manifest is not that of a bundle")
    if type(version := manifest.get("version")) is not int or version < 1:
        raise UnreadableBundle(f"its manifest has version {version!r}")
    if version > VERSION:
        raise NewerBundle(f"Tapeless {manifest.get('made_by')} as bundle version {version}")


def _target_to_json(target: SavedTarget) -> dict[str, Any]:
    parts = {
        part: {"file": target.file_of(part), "bytes": len(data), "sha256": digest}
        for (part, data), digest in zip(target.parts.items(), target.digests(), strict=True)
    }
    return {"kind": target.kind, "name": target.name, "details": target.details, "parts": parts}


def _target_from_json(entry: Any, files: Mapping[str, bytes]) -> SavedTarget:
    kind, name, details = entry["kind"], entry["name"], entry["details"]
    if not (type(kind) is str and type(name) is str and type(details) is dict):
        raise UnreadableBundle("a target is not described as this version does")
    target = SavedTarget(kind, name, details, {part: files[each["file"]] for part, each in entry["parts"].items()})
    if _target_to_json(target) != entry:
        raise UnreadableBundle(f"parts of target '{name}' do not agree with their checksums")
    return target
