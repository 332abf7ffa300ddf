"""Scans fused with their elementwise consumers."""
