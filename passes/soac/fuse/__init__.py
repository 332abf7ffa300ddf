"""`soac-fuse`: loops made into one, and what prepares them for it."""
