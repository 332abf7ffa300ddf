"""Inverses of the statements of a loop's body: values known after them determine those before."""
