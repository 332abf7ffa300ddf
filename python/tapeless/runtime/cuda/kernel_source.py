"""Where the text of kernels comes from: PTX that is there, or what a compiler makes when a call needs it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from tapeless.dataclasses_on_use import dataclass
from tapeless.runtime.cuda.kernel_texts import KernelTexts, Part

# A field of the manifest of kernels that are not all PTX yet.
LAYOUT = "layout"


class Texts(Protocol):
    """Gives the driver what it loads."""

    def parts(self, names: Iterable[str]) -> list[Part]: ...


class KernelSource(Protocol):
    """Kernels for a GPU."""

    def whole(self) -> bytes:
        """The PTX of all of them."""

    def texts(self, names: Sequence[str]) -> Texts:
        """The PTX of some of them at a time; a plan launches those of these names."""

    def stored(self) -> Ptx | Unfinished:
        """Plain data that the kernel cache keeps."""

    def identity(self) -> bytes:
        """Bytes that are others for other kernels."""


@dataclass(frozen=True)
class Ptx:
    """The PTX of all kernels."""

    text: bytes

    def whole(self) -> bytes:
        return self.text

    def texts(self, names: Sequence[str]) -> Texts:
        return KernelTexts(self.text, names)

    def stored(self) -> Ptx:
        return self

    def identity(self) -> bytes:
        return self.text

    def is_sound(self) -> bool:
        """Whether it is text."""
        try:
            self.text.decode()
        except UnicodeDecodeError:
            return False
        return True


@dataclass(frozen=True)
class Unfinished:
    """Kernels in the kernel cache that a compiler has more to do for; only the compiler knows their `layout`."""

    text: bytes
    layout: Any

    def whole(self) -> bytes:
        return self.text

    def texts(self, names: Sequence[str]) -> Texts:
        raise AssertionError("the kernel cache gives unfinished kernels to the compiler first")

    def stored(self) -> Unfinished:
        return self

    def identity(self) -> bytes:
        return self.text

    @property
    def links(self) -> dict[str, Any]:
        return {LAYOUT: self.layout}

    def is_sound(self) -> bool:
        """Whatever the compiler does not understand, it refuses."""
        return True
