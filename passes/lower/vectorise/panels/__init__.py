"""Matrices packed into panels that vector code reads in order."""
