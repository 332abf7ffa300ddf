"""Calls recorded once and started again: what is recorded, in which order it may run, and what it keeps."""
