"""Records that threads leave in shared memory, from where blocks copy them to where they belong."""
