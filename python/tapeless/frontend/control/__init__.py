"""Control flow: branches, choices inside expressions, loops, and values that come from several paths."""
