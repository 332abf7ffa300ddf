"""Rewrites of expressions, in classes by the properties that they may change: each class is a table, gated by flags of
the graph.
"""
