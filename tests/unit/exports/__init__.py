"""Functions of the language in programs of other libraries."""
