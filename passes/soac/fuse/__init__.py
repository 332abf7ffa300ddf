"""Loop fusion (`soac-fuse`), and the passes that prepare it."""
