"""Structures in expressions: dicts, attributes of objects, their methods, and how new ones are made."""
