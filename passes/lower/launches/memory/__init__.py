"""Memory that launches need for themselves: of blocks, of threads, from the heap of the device."""
