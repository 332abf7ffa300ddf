"""Rewrites of expressions, in classes by what they may change: each class is a table, gated by flags of the graph."""
