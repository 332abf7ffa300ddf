"""The page of recipes has the table of the recipes."""

from __future__ import annotations

from pathlib import Path

import structure
from tapeless.passes.recipes.table import page

DOCS = Path(structure.__file__).parents[1] / "docs"


def test_the_page_has_the_table() -> None:
    assert (DOCS / "recipes.md").read_text().endswith(page())
