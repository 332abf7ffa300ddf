"""Operators written in terms of others, from which their code and their derivatives follow."""
