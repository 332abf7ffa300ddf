"""Denormal numbers as zeros in everything that a process computes, so that all contestants have the mode of JAX.

JAX flushes denormal numbers in all that it runs on a CPU; C, numpy and PyTorch keep them unless told otherwise, and so
does Tapeless. The mode belongs to a thread, and threads take it from the one that starts them: it is set before
libraries start theirs.
"""

from __future__ import annotations

import ctypes
import platform

FLUSH = "flush"
MODES = (FLUSH, "keep")
# The environment of floats, as glibc lays it out: words of 32 bits, which of them has the mode, and its bits there.
WORDS = 16
PLACES = {"x86_64": (7, 0x8040), "aarch64": (0, 1 << 24)}


def set_denormals(mode: str) -> None:
    """Has this thread, and those that it starts from now on, take denormal numbers for zeros, or keep them again."""
    if platform.machine() not in PLACES:
        raise RuntimeError(f"how {platform.machine()} flushes denormal numbers is not known; use --denormals keep")
    place, bits = PLACES[platform.machine()]
    library = ctypes.CDLL("libm.so.6")
    words = (ctypes.c_uint32 * WORDS)()
    library.fegetenv(words)
    words[place] = words[place] | bits if mode == FLUSH else words[place] & ~bits
    if library.fesetenv(words):
        raise RuntimeError("the processor's mode of floats cannot be set")
