"""`soac-tabulate`: what depends on a picked row alone is computed once per row."""
