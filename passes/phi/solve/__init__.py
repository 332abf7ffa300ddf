"""Loops solved: recurrences become sums, products, powers and geometric sums where they have such a form."""
