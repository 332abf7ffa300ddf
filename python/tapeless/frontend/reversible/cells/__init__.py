"""Cells of procedures: meanings of names, parts of cells, and which parts overlap."""
