"""Dialects of other producers, loaded where a source mentions them."""

from __future__ import annotations

from tapeless._mlir import ir, passmanager, stablehlo, torch_dialects

ARTIFACT = b"StableHLO_v"
"""What stands at the beginning of the bytecode of a portable artifact of StableHLO."""


def is_artifact(content: bytes) -> bool:
    """Whether bytecode is a portable artifact of StableHLO, as `jax.export` writes it."""
    return ARTIFACT in content[:64]


def read_artifact(content: bytes, context: ir.Context) -> ir.Module:
    """The module of a portable artifact; raises MLIRError, or ValueError, for one that cannot be read."""
    load_stablehlo(context)
    return stablehlo().deserialize_portable_artifact(context, content)


def load_mentioned(content: str | bytes, context: ir.Context) -> None:
    """Loads StableHLO, and the functions it calls `chlo`, into a context if a source has operations of them."""
    if _mentions(content, "stablehlo"):
        load_stablehlo(context)
    if _mentions(content, "chlo."):
        load_chlo(context)


def load_stablehlo(context: ir.Context) -> None:
    """Adds StableHLO to a context."""
    if not context.is_dialect_loaded("stablehlo"):
        stablehlo().register_dialect(context)


def load_chlo(context: ir.Context) -> None:
    """Adds `chlo`, which no function registers: it comes with a pass that makes its operations."""
    load_stablehlo(context)
    if context.is_dialect_loaded("chlo"):
        return
    torch_dialects().register_dialect(context)
    with context, ir.Location.unknown():
        manager = passmanager.PassManager.parse("builtin.module(func.func(convert-torch-to-stablehlo))")
        manager.run(ir.Module.create().operation)


def _mentions(content: str | bytes, name: str) -> bool:
    return name in content if isinstance(content, str) else name.encode() in content
