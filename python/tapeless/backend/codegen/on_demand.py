"""Kernels of a GPU whose PTX is made when a call is about to launch them.

Of the variants of a kernel, for small and for large arrays, a call launches few. LLVM takes more than half of the time
of a compilation, so it runs for those that a call launches; whoever asks for the whole text has it made for all.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Any

from tapeless.backend.codegen.device_parts import DeviceParts
from tapeless.computed_once import computed_once
from tapeless.runtime.cuda.kernel_source import Unfinished
from tapeless.runtime.cuda.kernel_texts import KernelTexts, Part

# PTX of LLVM IR text that has kernels of these names.
MakePtx = Callable[[str, Sequence[str]], str]
# The lowest level makes the text ten times shorter; higher ones take longer than a small kernel takes LLVM.
LEVEL = 1


class OnDemand:
    """LLVM IR of all kernels, and PTX of those that were asked for; `when_made` is called after each time."""

    def __init__(
        self, text: str, kernels: Sequence[str], make: MakePtx, made: Iterable[tuple[Sequence[str], bytes]] = ()
    ) -> None:
        self._text, self._kernels, self._make = text, tuple(kernels), make
        self._made = [(tuple(names), ptx) for names, ptx in made]
        self.when_made: Callable[[], None] = lambda: None

    def whole(self) -> bytes:
        """The PTX of all kernels, as of one compilation."""
        return self._whole

    @computed_once
    def _whole(self) -> bytes:
        return self._make(self._text, self._kernels).encode()

    def texts(self, names: Sequence[str]) -> OnDemand:
        """These are the same for all plans."""
        return self

    def parts(self, names: Iterable[str]) -> list[Part]:
        """Texts that together have these kernels; those without PTX are compiled together."""
        wanted = dict.fromkeys(names)
        known = {name for group, _ in self._made for name in group}
        if missing := tuple(name for name in wanted if name not in known):
            self._made.append((missing, self._make(self._parts.of(missing), missing).encode()))
            self.when_made()
        return [
            part
            for group, ptx in self._made
            if (here := [name for name in group if name in wanted])
            for part in KernelTexts(ptx, group).parts(here)
        ]

    @computed_once
    def _parts(self) -> DeviceParts:
        return DeviceParts(self._text)

    def identity(self) -> bytes:
        """The text decides what PTX will be."""
        return self._text.encode()

    def stored(self) -> Unfinished:
        """The LLVM IR and the PTX so far, compressed, one after the other."""
        texts = [zlib.compress(each, LEVEL) for each in (self._text.encode(), *(ptx for _, ptx in self._made))]
        names = [[*group] for group, _ in self._made]
        layout = {"kernels": [*self._kernels], "made": names, "ends": [*accumulate(map(len, texts))]}
        return Unfinished(b"".join(texts), layout)

    @staticmethod
    def of_stored(stored: Unfinished, make: MakePtx) -> OnDemand:
        """The inverse of `stored`; raises an error of Python or zlib for what is not that."""
        layout: Any = stored.layout
        cuts = pairwise([0, *layout["ends"]])
        text, *made = (zlib.decompress(stored.text[start:end]) for start, end in cuts)
        return OnDemand(text.decode(), layout["kernels"], make, zip(layout["made"], made, strict=True))
