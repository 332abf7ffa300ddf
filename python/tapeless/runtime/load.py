"""`tl.load`: kernels from files, without a compiler."""

from __future__ import annotations

import os
import stat

from tapeless.errors import ArgumentError, BundleError
from tapeless.runtime.bundle.archive import BEGINNING, LARGEST_FILE
from tapeless.runtime.calling.arguments import describe_value
from tapeless.runtime.kernel import Kernel, kernel_of_bundle
from tapeless.tracebacks import user_facing

BYTES = (bytes, bytearray, memoryview)
# Nobody writes to a pipe that is no file: opening it must not wait.
READING = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


@user_facing
def load(source: str | os.PathLike[str] | bytes | bytearray | memoryview, target: str | None = None) -> Kernel:
    """The kernel that `kernel.save` wrote, from its file or its bytes; the first of its targets that runs here.

    `target` asks for one by its name ("x86_64-avx2") or kind ("cpu"). The code is run when the kernel is called: load
    only files that you trust.

    >>> tl.load(tl.compile(lambda x: 2.0 * x, (tl.f64,)).to_bytes())(3.0)
    6.0
    """
    if isinstance(source, BYTES):
        return kernel_of_bundle(_copied(source), target=target)
    try:
        path = os.fspath(source)
    except Exception as error:
        raise ArgumentError(
            f"tl.load takes the path of a file or its bytes, not {describe_value(source)}; give one of them"
        ) from error
    return kernel_of_bundle(read_file(path), os.fsdecode(path), target)


def _copied(source: bytes | bytearray | memoryview) -> bytes:
    try:
        return bytes(source)
    except ValueError as error:  # a view that was released
        raise ArgumentError(f"tl.load cannot read the bytes it was given ({error}); give others") from error


def read_file(path: str | bytes) -> bytes:
    """The bytes of a saved kernel; OSError for a file that cannot be opened, BundleError for any other file."""
    name = os.fsdecode(path)
    try:
        is_path = b"\0" not in os.fsencode(path)
    except UnicodeError:
        is_path = False
    if not is_path:
        raise ArgumentError(f"{name!r} is no path; give that of a file")
    with open(os.open(path, READING), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise BundleError(f"{name} is no regular file; give a file that kernel.save wrote, or its bytes")
        beginning = file.read(len(BEGINNING))
        if beginning != BEGINNING or status.st_size > LARGEST_FILE:
            return beginning  # no saved kernel, as whoever looks at it will find
        return beginning + file.read(LARGEST_FILE)
