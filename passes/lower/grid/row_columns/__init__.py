"""Rows that iterations add to arrays, their elements by threads side by side."""
