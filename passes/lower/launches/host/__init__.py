"""The walk over a host function: its state, where every scalar is, loops and branches of the plan."""
