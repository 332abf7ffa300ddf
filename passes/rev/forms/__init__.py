"""Procedures brought into the form that can be turned round, and simplified."""
