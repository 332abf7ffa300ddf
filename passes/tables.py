"""Every pass by name, and the named pipelines made of them."""

from __future__ import annotations

from tapeless.passes.base import Element, Pass, Upstream
from tapeless.passes.lower.math import Math
from tapeless.passes.lower.to_llvm import ToLLVM
from tapeless.passes.lower.vectorise import Vectorise
from tapeless.passes.soac.inline import Inline
from tapeless.passes.soac.simplify import Simplify

PASSES: dict[str, type[Pass]] = {
    pass_class.name: pass_class
    for pass_class in (
        Inline,
        Simplify,
        Vectorise,
        Math,
        ToLLVM,
    )
}

CORE: tuple[Element, ...] = (Inline(), Upstream("canonicalize"), Upstream("cse"), Simplify())

PIPELINES: dict[str, tuple[Element, ...]] = {"core": CORE}
