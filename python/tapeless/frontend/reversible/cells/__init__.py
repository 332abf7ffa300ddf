"""Cells of procedures: what names stand for, parts of cells, and which parts overlap."""
