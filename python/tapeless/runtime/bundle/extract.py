"""Takes the parts of a target out of a bundle, as files that compilers and other programs use."""

from __future__ import annotations

import re
from pathlib import Path

from tapeless.errors import BundleError
from tapeless.runtime.bundle.contents import SavedTarget
from tapeless.runtime.bundle.cpu import HEADER, IMAGE, LIBRARY, OBJECT

# What parts are called outside of a bundle, after the name of the function in C.
NAMES_OUTSIDE = {OBJECT: "{}.o", LIBRARY: "lib{}.so", HEADER: "{}.h"}
PLAIN_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


def extract(target: SavedTarget, folder: Path) -> list[Path]:
    """Writes every part but those that only `tl.load` takes into a folder, which is made; gives the files."""
    parts = {_name_outside(part, target): data for part, data in target.parts.items() if part != IMAGE}
    if not parts:
        raise BundleError(f"target '{target.name}' has no parts for other programs; write it by kernel.save")
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in parts.items():
        (folder / name).write_bytes(data)
    return [folder / name for name in parts]


def _name_outside(part: str, target: SavedTarget) -> str:
    symbol = target.details.get("symbol") or "kernel"
    name = NAMES_OUTSIDE[part].format(symbol) if part in NAMES_OUTSIDE else part
    if not PLAIN_NAME.fullmatch(name):
        raise BundleError(f"target '{target.name}' has a part that would be written to '{name}'; save the kernel again")
    return name
