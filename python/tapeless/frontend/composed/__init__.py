"""Operators written in terms of others: their code and their derivatives are those of what they are made of."""
