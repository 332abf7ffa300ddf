"""Adjoints by running backwards: loops undo their steps, or go back to few kept states."""
