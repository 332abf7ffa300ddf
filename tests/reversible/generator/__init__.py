"""Random reversible procedures as text, legal by construction, from seeds alone."""
