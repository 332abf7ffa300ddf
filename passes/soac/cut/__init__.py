"""What loops keep of each iteration for the way back: the fewest bytes between their states and adjoints."""
