"""Which iterations of a loop touch the same elements of an array, and in which order."""
