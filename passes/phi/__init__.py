"""Segments of programs as symbolic expressions: raised, simplified, solved, differentiated, and made code again."""
