"""Chains of steps that have no inverse: which states are kept, and when they are computed again."""
