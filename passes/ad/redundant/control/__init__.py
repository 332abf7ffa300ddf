"""Return rules of what holds or calls code: branches, loops, calls."""
