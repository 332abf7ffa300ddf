"""Bundles made of saved targets, and of what callers have to know."""

from __future__ import annotations

from tapeless.abi import Abi
from tapeless.errors import ArgumentError
from tapeless.runtime.bundle.contents import VERSION, Bundle, SavedTarget
from tapeless.runtime.bundle.signature_text import signature_text
from tapeless.runtime.contract import MOST_ENTRIES
from tapeless.runtime.interface import Interface
from tapeless.runtime.structures import Structure
from tapeless.trees import is_plain
from tapeless.version import __version__


def bundle_of(interface: Interface, abi: Abi, structure: Structure, targets: tuple[SavedTarget, ...]) -> bytes:
    """The bytes of a bundle; structures of trees need a newer version of its form than numbers and arrays do."""
    if max(len(abi.parameters), len(abi.results)) > MOST_ENTRIES:
        raise ArgumentError(
            f"{interface.name}() has more than {MOST_ENTRIES} parameters or results, which no saved kernel may have; "
            "put numbers into arrays"
        )
    signature = signature_text(interface, abi, structure)
    is_simple = interface.takes is None and is_plain(structure)
    return Bundle(interface, signature, targets, __version__, 1 if is_simple else VERSION).to_bytes()
