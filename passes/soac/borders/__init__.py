"""Borders of maps: where comparisons and clamps of an index change near the ends of an axis."""
