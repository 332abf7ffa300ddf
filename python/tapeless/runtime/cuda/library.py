"""NVIDIA's driver library by ctypes: its calls checked, with remedies for those that fail."""

from __future__ import annotations

import ctypes
from typing import Any, Final

from tapeless.errors import TargetError
from tapeless.runtime.cuda.required_calls import REQUIRED

NAME: Final = "libcuda.so.1"
SUCCESS: Final = 0
OUT_OF_MEMORY: Final = 2
NOT_INITIALISED: Final = 3
NO_DEVICE: Final = 100
WRONG_ARCHITECTURE: Final = 209
INVALID_PTX: Final = 218
NEWER_PTX: Final = 222
# What the driver says of a stream that is none, or of another GPU.
NO_STREAM: Final = frozenset({1, 201, 400, 709})

FORKED: Final = (
    "CUDA was in use before this process was forked, and a forked process cannot use it; start processes with "
    "multiprocessing.get_context('spawn'), or call kernels for GPUs in the children only"
)
_HANDLE, _ADDRESS, _SIZE, _NUMBER = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_size_t, ctypes.c_uint
# Arguments of what every call of a kernel does, which are given as plain numbers then: that is cheaper.
ARGUMENTS: Final = {
    "cuCtxPushCurrent_v2": (_HANDLE,),
    "cuCtxPopCurrent_v2": (_HANDLE,),
    "cuThreadExchangeStreamCaptureMode": (_HANDLE,),
    "cuStreamIsCapturing": (_HANDLE, _HANDLE),
    "cuEventRecord": (_HANDLE, _HANDLE),
    "cuStreamWaitEvent": (_HANDLE, _HANDLE, _NUMBER),
    "cuGraphLaunch": (_HANDLE, _HANDLE),
    "cuMemcpyDtoHAsync_v2": (_HANDLE, _ADDRESS, _SIZE, _HANDLE),
    "cuStreamSynchronize": (_HANDLE,),
}
# What a failed call of the driver most often means, and what to do.
ADVICE = {
    NO_DEVICE: "there is no NVIDIA GPU that this process may use; compile for target='cpu'",
    NOT_INITIALISED: FORKED,
    OUT_OF_MEMORY: "the GPU has not enough free memory; use smaller arrays or free some",
    WRONG_ARCHITECTURE: "the kernel is for another generation of GPUs; compile it for this one",
    INVALID_PTX: "the driver refuses the kernel's PTX; a newer driver may take it",
    NEWER_PTX: "the driver is older than the kernel's PTX; update it or compile for an older one",
}


class DriverError(TargetError):
    """A call of the driver failed."""

    def __init__(self, call: str, code: int, name: str, detail: str = "") -> None:
        super().__init__(f"{call} failed: {ADVICE.get(code, name)}{f' ({detail})' if detail else ''}")
        self.code = code


class Library:
    """libcuda with its calls checked: `library.cuMemFree_v2(address)` raises DriverError unless it succeeds."""

    def __init__(self) -> None:
        try:
            self._library = ctypes.CDLL(NAME)
        except OSError as error:
            raise TargetError(
                f"there is no NVIDIA driver that can be loaded ({error}); install it or compile for target='cpu'"
            ) from error
        if missing := [name for name in REQUIRED if not self.has(name)]:
            raise TargetError(
                f"the NVIDIA driver ({NAME}) has no {' and no '.join(missing[:2])}; install a whole and newer one, "
                "or compile for target='cpu'"
            )

    def __getattr__(self, name: str) -> Any:
        function = getattr(self._library, name)
        if name in ARGUMENTS and hasattr(function, "argtypes"):
            function.argtypes = ARGUMENTS[name]

        def call(*arguments: Any) -> None:
            code = function(*arguments)
            if code != SUCCESS:
                raise DriverError(name, code, self._name_of(code))

        call.unchecked = function  # type: ignore[attr-defined]
        setattr(self, name, call)
        return call

    def has(self, name: str) -> bool:
        """Whether this version of the driver has a call."""
        return hasattr(self._library, name)

    def _name_of(self, code: int) -> str:
        text = ctypes.c_char_p()
        self._library.cuGetErrorName(code, ctypes.byref(text))
        return (text.value or b"").decode() or f"error {code}"
