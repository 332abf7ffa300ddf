"""Passes on core IR that see arrays and second-order operators as values."""
