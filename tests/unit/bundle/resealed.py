"""Bundles with a manifest of the test's choice and right checksums all the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from tapeless.runtime.bundle.archive import pack, unpack
from tapeless.runtime.bundle.contents import MANIFEST

Manifest = dict[str, Any]


def resealed(data: bytes, change: Callable[[Manifest], object]) -> bytes:
    """The bundle after `change` was done to its manifest."""
    files = unpack(data)
    manifest = json.loads(files[MANIFEST])
    change(manifest)
    return pack({**files, MANIFEST: json.dumps(manifest).encode()})


def with_part(data: bytes, part: str, contents: bytes) -> bytes:
    """The bundle with another part of its first target, whose checksum the manifest has."""
    files = unpack(data)
    manifest = json.loads(files[MANIFEST])
    entry = manifest["targets"][0]["parts"][part]
    entry |= {"bytes": len(contents), "sha256": hashlib.sha256(contents).hexdigest()}
    return pack({**files, MANIFEST: json.dumps(manifest).encode(), entry["file"]: contents})
