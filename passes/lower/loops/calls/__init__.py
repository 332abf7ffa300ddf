"""What a lowered function has to do with others: its signature, calls, run-time checks."""
