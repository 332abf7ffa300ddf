"""Expressions as a graph with sharing: nodes are made once, in a normal form, and compared by identity."""
