"""Class F: identities of functions, which hold for real numbers and are approximate for floats."""
