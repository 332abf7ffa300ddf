"""Which parts of a program are differentiated as expressions."""
