"""What goes wrong while passes run: found, placed, explained, reproduced."""
