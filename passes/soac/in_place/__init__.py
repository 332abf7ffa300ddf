"""Preparations for in-place updates of arrays, without copies of them."""
