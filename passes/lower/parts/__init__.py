"""Parts that do the same become one function."""
