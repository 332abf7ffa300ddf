"""Tiles in registers and in memory of blocks for nests that read the same elements again and again."""
