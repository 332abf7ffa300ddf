"""Class S, merges of branches: what arms have in common, and what is known in them."""
