"""Reads saved kernels and chooses the code that runs here; whatever cannot be right or run is a `BundleError`."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from tapeless.errors import BundleError
from tapeless.runtime.bundle.archive import DamagedArchive
from tapeless.runtime.bundle.contents import VERSION, Bundle, NewerBundle, SavedTarget, UnreadableBundle
from tapeless.runtime.bundle.kinds import KINDS
from tapeless.runtime.code import MALFORMED, CompiledCode, DamagedCode
from tapeless.runtime.contract import is_structure
from tapeless.runtime.interface import Interface

AGAIN = "save the kernel again"
# What a file says of itself is part of messages, and may be long.
MOST_LETTERS = 300
MOST_REASONS = 20


class Chosen(NamedTuple):
    """Code for this machine, how it is called, and the name of its target in the bundle."""

    interface: Interface
    code: CompiledCode
    name: str


def brief(text: str) -> str:
    """The beginning of a text, where it is long."""
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}..."


def read_bundle(data: bytes, origin: str) -> Bundle:
    """The contents of a file; `origin` names it in messages."""
    try:
        return Bundle.from_bytes(data)
    except DamagedArchive as error:
        raise BundleError(f"{origin} is damaged or no saved kernel: {brief(str(error))}; {AGAIN}") from error
    except NewerBundle as error:
        raise BundleError(
            f"{origin} was saved by {brief(str(error))}, and this version reads version {VERSION}; update Tapeless here"
        ) from error
    except (UnreadableBundle, *MALFORMED) as error:
        raise BundleError(f"{origin} is not a saved kernel of this version: {brief(str(error))}; {AGAIN}") from error


def choose(bundle: Bundle, origin: str, wanted: str | None = None) -> Chosen:
    """The first target that runs here, among those of a name or kind if one is given."""
    try:
        target = first_that_runs(bundle, origin, wanted)
        code = _opened(target)
        takes = bundle.interface.takes or tuple(range(len(bundle.interface.parameters)))
        if not is_structure(takes, len(code.abi.parameters)):
            raise DamagedCode("the parameters do not fit the code")
    except (DamagedCode, *MALFORMED) as error:
        raise BundleError(f"{origin} is not a saved kernel of this version: {brief(str(error))}; {AGAIN}") from error
    return Chosen(replace(bundle.interface, target=target.kind), code, target.name)


def first_that_runs(bundle: Bundle, origin: str, wanted: str | None) -> SavedTarget:
    """The target to take, among those of a name or kind if one is given; BundleError if none runs here."""
    candidates = [target for target in bundle.targets if wanted in (None, target.name, target.kind)]
    if wanted is not None and not candidates:
        held = brief(", ".join(f"'{target.name}'" for target in bundle.targets)) or "none"
        raise BundleError(f"{origin} has no target '{wanted}'; it has {held}")
    reasons = []
    for target in candidates:
        reason = obstacle(target)
        if reason is None:
            return target
        reasons.append(brief(f"'{target.name}' {reason}"))
    why = "; ".join(reasons[:MOST_REASONS]) or "it is empty"
    raise BundleError(f"{origin} has no code for this machine: {why}; {AGAIN} with a target for it")


def obstacle(target: SavedTarget) -> str | None:
    """Why a target cannot run on this machine, or None if it can."""
    if target.kind not in KINDS:
        return f"is for '{target.kind}', which this version of Tapeless cannot load"
    kind = KINDS[target.kind]
    try:
        is_described = kind.is_described(target.details)
    except MALFORMED as error:
        raise BundleError(
            f"target '{brief(target.name)}' is not described as this version does: {brief(repr(error))}; {AGAIN}"
        ) from error
    if not is_described:
        raise BundleError(f"target '{brief(target.name)}' is not described as this version does; {AGAIN}")
    return kind.obstacle(target.details)


def _opened(target: SavedTarget) -> CompiledCode:
    kind = KINDS[target.kind]
    for part in kind.parts:
        if part not in target.parts:
            raise DamagedCode(f"target '{target.name}' has no part '{part}'")
    return kind.open(target.details, target.parts)
