"""The passes of Tapeless and the pipelines made of them, as plain tables."""

from __future__ import annotations

from tapeless.passes.base import Element, Pass, Upstream

PASSES: dict[str, type[Pass]] = {}

PIPELINES: dict[str, tuple[Element, ...]] = {"core": (Upstream("inline"), Upstream("canonicalize"), Upstream("cse"))}
