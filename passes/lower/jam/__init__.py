"""Inner loops of a thread that an outer one repeats, several of them in one."""
