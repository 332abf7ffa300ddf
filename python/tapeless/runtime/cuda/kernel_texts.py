"""The text of kernels cut into parts that the driver compiles one by one.

Of the variants of a kernel, for small and for large arrays, a call launches few. What one branch of a plan launches is
therefore a part of its own, which nobody compiles before the first of it is launched; and so is every other kernel that
takes long to compile.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, TypeAlias

# Numbers of steps, and regions of them, from the beginning of a plan on.
Branch: TypeAlias = tuple[int | str, ...]
REGIONS: Final = ("body", "then", "else", "before", "after")

# As LLVM writes it: what stands at the beginning of a line is outside of bodies, or ends one.
ENTRY: Final = re.compile(rb"^\.visible \.entry (\w+)\(.*?^\}[^\n]*\n?", re.MULTILINE | re.DOTALL)
# Memory that kernels could share by its name; they never do, and texts with some stay whole.
SHARED_MEMORY: Final = re.compile(rb"^[^\n/]*\.global [^=;]*;", re.MULTILINE)
# Shorter ones are compiled in a few milliseconds, about what it takes to load a part.
LARGE_BYTES: Final = 16 << 10


def parts_of(text: bytes, branches: Mapping[str, Branch] = MappingProxyType({})) -> list[tuple[list[str], bytes]]:
    """Texts that together have all kernels, with the names of those in each: the short ones that no branch of the plan
    launches, each long one of these, and those of every branch.
    """
    entries = {found[1].decode(): found[0] for found in ENTRY.finditer(text)}
    rest = ENTRY.sub(b"", text)
    groups: dict[Branch, list[str]] = {(): []}
    for name, entry in entries.items():
        own = (name,) if len(entry) >= LARGE_BYTES else ()
        groups.setdefault(branches.get(name) or own, []).append(name)
    if len(groups) == 1 or SHARED_MEMORY.search(rest):
        return [(list(entries), text)]
    return [(names, _joined(rest, entries, names)) for names in groups.values() if names]


def branches_of(steps: Sequence[Mapping[str, Any]], branch: Branch = (), around: Branch = ()) -> dict[str, Branch]:
    """Where in a plan the innermost branch is that launches a kernel, nowhere for one that is launched in no branch."""
    found: dict[str, Branch] = {}
    for number, step in enumerate(steps):
        if step["do"] == "launch":
            found.setdefault(step["kernel"], branch)
        for region in REGIONS:
            if region in step:
                here = (*around, number, region)
                found = {**branches_of(step[region], here if step["do"] == "if" else branch, here), **found}
    return found


def _joined(rest: bytes, entries: Mapping[str, bytes], names: list[str]) -> bytes:
    return rest + b"\n".join(entries[name] for name in names)
