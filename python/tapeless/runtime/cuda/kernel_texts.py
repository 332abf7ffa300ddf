"""The text of kernels cut into parts, each of which the driver compiles by itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

# As LLVM writes it: what stands at the beginning of a line is outside of bodies, or ends one.
ENTRY: Final = re.compile(rb"^\.visible \.entry (\w+)\(", re.MULTILINE)
END: Final = b"\n}"
# Memory that kernels could share by its name; they never do, and texts with some stay whole.
SHARED_MEMORY: Final = re.compile(rb"^[^\n/]*\.global [^=;]*;", re.MULTILINE)
# Shorter ones are compiled in a few milliseconds, about what it takes to load a part.
PART_BYTES: Final = 16 << 10

Part = tuple[list[str], bytes]


class KernelTexts:
    """The text of each kernel, and the text around them."""

    def __init__(self, text: bytes, names: Sequence[str]) -> None:
        self._text, self._names = text, list(names)
        self._entries: dict[str, bytes] = {}
        rest, behind = b"", 0
        for found in ENTRY.finditer(text):
            end = text.find(END, found.start()) + len(END)
            if end < found.start():
                break
            self._entries[found[1].decode()] = text[found.start() : end] + b"\n"
            rest += text[behind : found.start()]
            behind = end
        self._rest = rest + text[behind:]
        has_all = self._entries.keys() >= set(names)
        self._stays_whole = not has_all or SHARED_MEMORY.search(self._rest) is not None

    def parts(self, names: Iterable[str]) -> list[Part]:
        """Texts that together have these kernels, with the names of those in each, the longest first: long ones have
        a part each, short ones share some.
        """
        if self._stays_whole:
            return [(self._names, self._text)]
        groups: list[list[str]] = []
        room = 0
        for name in names:
            size = len(self._entries[name])
            if not groups or size > room:
                groups.append([])
                room = PART_BYTES
            groups[-1].append(name)
            room -= size
        parts = [(group, self._rest + b"\n".join(self._entries[name] for name in group)) for group in groups]
        return sorted(parts, key=lambda part: -len(part[1]))
