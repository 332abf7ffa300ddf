"""Transformations called from Python: each is a function of the language whose body applies the operator inside."""
