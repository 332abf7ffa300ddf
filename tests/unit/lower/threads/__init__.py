"""Threads and blocks: the same bits for any number of them."""
