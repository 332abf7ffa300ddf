"""Listings of `tapeless-opt`: passes, IRDL, version."""

from __future__ import annotations

import importlib.metadata
import io
import sys
from collections.abc import Callable

WIDE = 200


def passes() -> str:
    """A table of all passes and pipelines, as wide as the terminal, or wide if there is none."""
    from rich.console import Console
    from rich.table import Table

    from tapeless.passes.driver.catalogue import CatalogueEntry, catalogue

    table = Table(box=None, pad_edge=False)
    for field in CatalogueEntry._fields:
        table.add_column(field, no_wrap=field == "name", overflow="fold")
    for entry in catalogue():
        table.add_row(*entry)
    is_terminal = sys.stdout.isatty()
    text = io.StringIO()
    Console(file=text, width=None if is_terminal else WIDE, force_terminal=is_terminal).print(table, markup=False)
    return text.getvalue()


def irdl() -> str:
    """The dialects as IRDL."""
    from tapeless.dialects.describe import irdl_text

    return irdl_text()


def version() -> str:
    """The versions of Tapeless and of the MLIR bindings."""
    from tapeless._mlir import PROVIDER

    provider = PROVIDER.replace("_", "-")
    own, theirs = (importlib.metadata.version(name) for name in ("tapeless", provider))
    return f"tapeless-opt {own} (MLIR from {provider} {theirs})\n"


LISTINGS: dict[str, Callable[[], str]] = {
    "list_passes": passes,
    "emit_irdl": irdl,
    "version": version,
}
