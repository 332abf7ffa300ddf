"""The text of kernels cut into parts that the driver compiles one by one.

Of the variants of a kernel, for small and for large arrays, a call launches few. Those that take long to compile are
therefore parts of their own, which nobody compiles before they are launched.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

# As LLVM writes it: what stands at the beginning of a line is outside of bodies, or ends one.
ENTRY: Final = re.compile(rb"^\.visible \.entry (\w+)\(.*?^\}[^\n]*\n?", re.MULTILINE | re.DOTALL)
# Memory that kernels could share by its name; they never do, and texts with some stay whole.
SHARED_MEMORY: Final = re.compile(rb"^[^\n/]*\.global [^=;]*;", re.MULTILINE)
# Shorter ones are compiled in a few milliseconds, about what it takes to load a part.
LARGE_BYTES: Final = 16 << 10


def parts_of(text: bytes) -> list[tuple[list[str], bytes]]:
    """Texts that together have all kernels, with the names of those in each: the short ones, and each long one."""
    entries = {found[1].decode(): found[0] for found in ENTRY.finditer(text)}
    rest = ENTRY.sub(b"", text)
    large = [name for name, entry in entries.items() if len(entry) >= LARGE_BYTES]
    if not large or SHARED_MEMORY.search(rest):
        return [(list(entries), text)]
    small = [name for name in entries if name not in large]
    parts = [([name], rest + entries[name]) for name in large]
    return [*([(small, _joined(rest, entries, small))] if small else []), *parts]


def _joined(rest: bytes, entries: Mapping[str, bytes], names: list[str]) -> bytes:
    return rest + b"\n".join(entries[name] for name in names)
