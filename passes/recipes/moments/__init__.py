"""Rows of tables that iterations scale and add up: the scales are summed first, then rows are scaled once."""
