"""Checkpoints of loops for the return sweep: the fewest bytes between their states and adjoints."""
