"""A kernel that copies its argument, on the runtime's driver above a stand-in for libcuda."""

from __future__ import annotations

import ctypes
import json
from typing import Any

import numpy as np

from emulated_gpu.fake_cuda import FakeCuda
from tapeless.abi import Abi, Parameter, Result
from tapeless.runtime.code import CompiledCode
from tapeless.runtime.cuda.calls import CudaCalls
from tapeless.runtime.cuda.driver import Driver
from tapeless.runtime.cuda.image import DeviceImage
from tapeless.runtime.cuda.kernel_source import Ptx
from tapeless.runtime.interface import Interface
from tapeless.runtime.kernel import Kernel
from tapeless.signature import REQUIRED
from tapeless.signature import Parameter as Named

SHAPE = (64,)
BYTES = ["muli", "index", "a0.0", 8]
COPY = [{"do": "copy", "to": "o0", "from": "a0", "bytes": BYTES}, {"do": "return", "values": []}]
# By way of memory of its own, and of a number that is read on the way.
AROUND = [
    {"do": "allocate", "name": "t", "bytes": BYTES},
    {"do": "copy", "to": "t", "from": "a0", "bytes": BYTES},
    {"do": "read", "name": "n", "type": "i64", "from": "t"},
    {"do": "copy", "to": "o0", "from": "t", "bytes": BYTES},
    {"do": "return", "values": []},
]
# Into memory that the plan allocates and gives to the caller; such plans are not recorded.
OWN = [
    {"do": "allocate", "name": "t", "bytes": BYTES},
    {"do": "copy", "to": "t", "from": "a0", "bytes": BYTES},
    {"do": "return", "values": [{"address": "t", "dims": ["a0.0"]}]},
]
PLANS: dict[str, tuple[list[dict[str, Any]], Result]] = {
    "recorded": (COPY, Result("array", "f64", "out", (["dim", 0, 0],))),
    "recorded in stretches": (AROUND, Result("array", "f64", "out", (["dim", 0, 0],))),
    "queued": (OWN, Result("array", "f64", "allocated", (None,))),
}


def code(plan: str = "recorded", constants: int = 0, architecture: str = "sm_90") -> CompiledCode:
    steps, result = PLANS[plan]
    text = json.dumps({"version": 1, "kernels": {}, "constants": ["AAAA"] * constants, "steps": steps})
    return CompiledCode(
        "f", DeviceImage(Ptx(b""), text, architecture), Abi((Parameter("array", "f64", (None,)),), (result,)), ()
    )


def copying(gpu: Driver, plan: str = "recorded", constants: int = 0) -> CudaCalls:
    return CudaCalls(code(plan, constants), ["x"], "f", gpu)


def kernel(gpu: Driver) -> Kernel:
    made = Kernel(Interface("f", None, "f.py", 1, (Named("x", None, REQUIRED),), "cuda", 1, "on"), code())
    made.calls._given = gpu  # type: ignore[attr-defined]
    return made


def numbers(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(SHAPE)


def elements(address: int) -> np.ndarray:
    """What lies in memory."""
    return np.ctypeslib.as_array((ctypes.c_double * SHAPE[0]).from_address(address)).copy()


def read_late(cuda: FakeCuda, stream: int, address: int) -> list[np.ndarray]:
    """Has a stream read memory when it comes to that; what it finds is put in the list."""
    found: list[np.ndarray] = []
    cuda.streams.queue(stream, lambda: found.append(elements(address)))
    return found
