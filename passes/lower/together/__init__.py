"""Costly work of iterations that follow one another, done for several of them at once."""
