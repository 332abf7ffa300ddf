"""The result of `kernel.explain()`: a text, and a table in notebooks."""

from __future__ import annotations

import html


class Explanation(str):
    """Lines of a text, the first a title, each of the others a kind and a statement."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """The table that a notebook shows."""
        title, *lines = self.split("\n")
        rows = "".join(map(_row, lines))
        return f"<table><caption>{html.escape(title)}</caption>{rows}</table>"


def _row(line: str) -> str:
    kind, _, said = line.strip().partition(" ")
    left = '<td style="text-align:left">'
    return f"<tr>{left}<b>{html.escape(kind)}</b></td>{left}{html.escape(said.strip())}</td></tr>"
