"""Rows that threads add to tables, left in shared memory, from where blocks add them element by element."""
