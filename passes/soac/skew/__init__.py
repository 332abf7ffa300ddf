"""Nests whose cells wait for neighbours, as loops over antidiagonals, whose cells are independent (loop skewing)."""
