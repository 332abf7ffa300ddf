"""Kernels in files: what `kernel.save` writes, and how it is read and checked."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tapeless.errors import BundleError
from tapeless.runtime.calling.loaders import LOADERS
from tapeless.runtime.code import MALFORMED, CompiledCode, DamagedCode, identity, split
from tapeless.runtime.interface import Interface
from tapeless.runtime.processor import instruction_sets

KEY = "a saved kernel"
SAVE_AGAIN = "save the kernel again here"


def saved_form(code: CompiledCode, interface: Interface) -> bytes:
    """The bytes of a file that `read_saved` reads."""
    return code.to_bytes(KEY, {"interface": interface.to_json(), "needs": sorted(instruction_sets())})


def read_saved(path: str | os.PathLike[str]) -> tuple[Interface, CompiledCode]:
    """What the file holds, or a `BundleError` that says why it does not fit here."""
    data = Path(path).read_bytes()
    try:
        manifest, _ = split(data)
        _check_machine(path, manifest)
        description = manifest["description"]
        _check_processor(path, description["needs"])
        interface = Interface.from_json(description["interface"])
        _check_target(path, interface.target)
        code = CompiledCode.from_bytes(data, KEY)
        if len(interface.parameters) != len(code.abi.parameters):
            raise DamagedCode("the parameters do not fit the code")
    except (DamagedCode, *MALFORMED) as error:
        raise BundleError(f"{path} is not a saved kernel of this version: {error}; {SAVE_AGAIN}") from error
    return interface, code


def _check_machine(path: str | os.PathLike[str], manifest: Mapping[str, Any]) -> None:
    for what, here in identity(KEY).items():
        if manifest[what] != here:
            raise BundleError(f"{path} was saved for {what} {manifest[what]!r}, and here is {here!r}; {SAVE_AGAIN}")


def _check_target(path: str | os.PathLike[str], target: str) -> None:
    if target not in LOADERS:
        raise BundleError(
            f"{path} was saved for target '{target}', and here only {', '.join(LOADERS)} can be loaded; {SAVE_AGAIN}"
        )


def _check_processor(path: str | os.PathLike[str], needed: list[str]) -> None:
    """Code may use every instruction of the processor it was compiled for; a missing one would end the process."""
    missing = sorted(set(needed) - instruction_sets())
    if missing:
        raise BundleError(f"{path} was saved on a processor that also has {', '.join(missing)}; {SAVE_AGAIN}")
