"""Derivatives known by hand, for every construct: one table, read by every test that differentiates."""

from __future__ import annotations

from programs import derivatives_histograms, derivatives_nested, derivatives_operators, derivatives_scalars
from programs.derivatives_row import Derivative

TOPICS = (derivatives_scalars, derivatives_operators, derivatives_histograms, derivatives_nested)

DERIVATIVES: dict[str, Derivative] = {row.name: row for topic in TOPICS for row in topic.DERIVATIVES}
