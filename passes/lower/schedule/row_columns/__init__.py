"""Maps that add rows, and search for their destinations before."""
