"""Arrays made ready to be written in place: what has contents of its own, and in which order it is written."""
