"""Nests that reduce the columns of a contraction, which are not kept."""
