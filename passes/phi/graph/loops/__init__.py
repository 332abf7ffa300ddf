"""Loops as nodes: reductions over ranges, recurrences, arrays, and their solved forms."""
