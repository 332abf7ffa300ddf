"""The one door to the MLIR Python bindings: every other file imports them from here.

A real `mlir` package is preferred; the pinned `torch-mlir` wheel carries the same bindings under its own prefix.
"""

from __future__ import annotations

import importlib
import importlib.util
from functools import cache
from types import ModuleType
from typing import Any

PROVIDERS = ("mlir", "torch_mlir")


def _provider() -> str:
    for name in PROVIDERS:
        if importlib.util.find_spec(name) is not None and importlib.util.find_spec(f"{name}.dialects") is not None:
            return name
    raise ImportError("no MLIR bindings found; install the pinned provider with `pip install torch-mlir==20261001`")


PROVIDER = _provider()


def _load(name: str) -> ModuleType:
    return importlib.import_module(f"{PROVIDER}.{name}")


# Declared as Any because the bindings carry no type stubs; so annotations such as `ir.Value` are documentation.
ir: Any = _load("ir")
passmanager: Any = _load("passmanager")
arith: Any = _load("dialects.arith")
cf: Any = _load("dialects.cf")
ext: Any = _load("dialects.ext")
func: Any = _load("dialects.func")
irdl: Any = _load("dialects.irdl")
llvm: Any = _load("dialects.llvm")
math: Any = _load("dialects.math")
memref: Any = _load("dialects.memref")
scf: Any = _load("dialects.scf")
tensor: Any = _load("dialects.tensor")
vector: Any = _load("dialects.vector")


@cache
def stablehlo() -> Any:
    """The extension for StableHLO: its dialect, attributes, artifacts, and an interpreter. Loaded when first asked for,
    since most programs need none of it."""
    extension = _load("_mlir_libs._stablehlo")
    extension.register_stablehlo_passes()
    return extension


@cache
def torch_importer() -> Any:
    """The importer of graphs of PyTorch into MLIR; needs torch."""
    return _load("extras.fx_importer")


@cache
def torch_decompositions() -> Any:
    """The operations that PyTorch is to take apart before; needs torch."""
    return _load("extras.fx_decomp_util")


@cache
def torch_dialect() -> Any:
    """The dialect of operations of PyTorch, whose registration makes its passes known, too."""
    return _load("dialects.torch")


@cache
def torch_dialects() -> Any:
    """The extension whose dialects bring `chlo` with them."""
    return _load("_mlir_libs._torchMlir")
