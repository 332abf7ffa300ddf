"""Parts of arrays: selections of an index, reading and writing them."""
