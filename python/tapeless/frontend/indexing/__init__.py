"""Parts of arrays: what an index selects, reading it, writing it."""
