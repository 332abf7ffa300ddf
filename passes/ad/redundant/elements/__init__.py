"""Return rules of scalar ops, and of ops that read, write and move elements."""
