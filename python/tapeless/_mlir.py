"""The one door to the MLIR Python bindings: every other file imports them from here.

A real `mlir` package is preferred; the pinned `torch-mlir` wheel carries the same bindings under its own prefix.
"""

from __future__ import annotations

import importlib
import importlib.util
from types import ModuleType

PROVIDERS = ("mlir", "torch_mlir")


def _provider() -> str:
    for name in PROVIDERS:
        if importlib.util.find_spec(name) is not None and importlib.util.find_spec(f"{name}.dialects") is not None:
            return name
    raise ImportError("no MLIR bindings found; install the pinned provider with `pip install torch-mlir==20261001`")


PROVIDER = _provider()


def _load(name: str) -> ModuleType:
    return importlib.import_module(f"{PROVIDER}.{name}")


ir = _load("ir")
passmanager = _load("passmanager")
arith = _load("dialects.arith")
cf = _load("dialects.cf")
ext = _load("dialects.ext")
func = _load("dialects.func")
irdl = _load("dialects.irdl")
linalg = _load("dialects.linalg")
llvm = _load("dialects.llvm")
math = _load("dialects.math")
memref = _load("dialects.memref")
scf = _load("dialects.scf")
tensor = _load("dialects.tensor")
vector = _load("dialects.vector")
