"""Loops with guarded branches: run without them, and again with them where one was needed."""
