"""Tangents: every statement is followed by its derivative along the tangents of its operands."""
