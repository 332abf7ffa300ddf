"""Every pass by name, and the named pipelines made of them."""

from __future__ import annotations

from tapeless.passes.base import Element, Pass, Upstream
from tapeless.passes.lower.math import Math
from tapeless.passes.lower.to_llvm import ToLLVM
from tapeless.passes.lower.vectorise import Vectorise

PASSES: dict[str, type[Pass]] = {
    pass_class.name: pass_class
    for pass_class in (
        Vectorise,
        Math,
        ToLLVM,
    )
}

CORE: tuple[Element, ...] = (Upstream("inline"), Upstream("canonicalize"), Upstream("cse"))

PIPELINES: dict[str, tuple[Element, ...]] = {"core": CORE}
