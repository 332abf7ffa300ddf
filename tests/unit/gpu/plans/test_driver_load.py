"""How text goes to the driver: as libraries, which it compiles side by side, or as modules where it has none."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from tapeless.runtime.cuda.driver import Driver
from tapeless.runtime.cuda.library import INVALID_PTX, DriverError


class Calls:
    """What stands for libcuda: notes which calls are made; texts with an error in them are refused, with a log."""

    def __init__(self, *known: str) -> None:
        self.known, self.made = known, list[str]()

    def has(self, name: str) -> bool:
        return name in self.known

    def _name_of(self, code: int) -> str:
        return "CUDA_ERROR_INVALID_PTX"

    def cuLibraryLoadData(self, library: Any, text: bytes, options: Any, values: Any, *rest: Any) -> None:
        assert rest == (2, None, None, 0)
        self._taken("cuLibraryLoadData", text, values)

    def cuLibraryGetModule(self, module: Any, library: Any) -> None:
        self.made.append("cuLibraryGetModule")

    def cuModuleLoadDataEx(self, module: Any, text: bytes, count: int, options: Any, values: Any) -> None:
        assert count == 2
        self._taken("cuModuleLoadDataEx", text, values)

    def _taken(self, name: str, text: bytes, values: Any) -> None:
        assert text.endswith(b"\0")
        self.made.append(name)
        if b"error" in text:
            log = b"ptxas application ptx input, line 7; error: unknown\0"
            ctypes.memmove(values[0], log, len(log))
            raise DriverError(name, INVALID_PTX, "CUDA_ERROR_INVALID_PTX")


def driver_with(calls: Calls) -> Driver:
    driver = object.__new__(Driver)
    driver.library = calls  # type: ignore[assignment]
    return driver


@pytest.mark.parametrize(
    "known, made",
    [(["cuLibraryLoadData"], ["cuLibraryLoadData", "cuLibraryGetModule"]), ([], ["cuModuleLoadDataEx"])],
    ids=["from 12.0 on", "older"],
)
def test_text_is_compiled_and_what_is_wrong_with_it_is_told(known: list[str], made: list[str]) -> None:
    calls = Calls(*known)
    driver_with(calls).load(b".version 7.8")
    assert calls.made == made
    message = r"^loading kernels failed: the driver refuses .* \(ptxas application ptx input, line 7; error: unknown\)$"
    with pytest.raises(DriverError, match=message):
        driver_with(calls).load(b".version 7.8 error")
