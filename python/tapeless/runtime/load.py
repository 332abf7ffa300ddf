"""`tl.load`: kernels from files, without a compiler."""

from __future__ import annotations

import os
from pathlib import Path

from tapeless.runtime.kernel import Kernel, kernel_of_bundle
from tapeless.tracebacks import user_facing

BYTES = (bytes, bytearray, memoryview)


@user_facing
def load(source: str | os.PathLike[str] | bytes | bytearray | memoryview, target: str | None = None) -> Kernel:
    """The kernel that `kernel.save` wrote, from its file or its bytes; the first of its targets that runs here.

    `target` asks for one by its name ("x86_64-avx2") or kind ("cpu"). The code is run when the kernel is called: load
    only files that you trust.
    """
    if isinstance(source, BYTES):
        return kernel_of_bundle(bytes(source), target=target)
    return kernel_of_bundle(Path(source).read_bytes(), os.fspath(source), target)
