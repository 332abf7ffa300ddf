"""Adjoints of procedures: value and shadow cells side by side."""
