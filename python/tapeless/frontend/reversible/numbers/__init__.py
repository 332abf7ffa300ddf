"""Number systems of cells: fixed-point numbers and logarithms, as values, names and arguments."""
