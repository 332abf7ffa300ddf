"""The statements of procedures."""
