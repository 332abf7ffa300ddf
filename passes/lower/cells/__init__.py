"""Cells of arrays that an iteration leaves for the next one, kept in registers (`lower-scalar-replacement`)."""
