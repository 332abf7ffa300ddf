"""`tl.load`: kernels from files, without a compiler."""

from __future__ import annotations

import os

from tapeless.runtime.kernel import Kernel
from tapeless.runtime.saved import read_saved
from tapeless.tracebacks import user_facing


@user_facing
def load(path: str | os.PathLike[str]) -> Kernel:
    """The kernel that `kernel.save` wrote. Its code is run when it is called: load only files that you trust."""
    return Kernel(*read_saved(path))
