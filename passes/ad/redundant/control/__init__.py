"""Return rules of branches, loops and calls."""
