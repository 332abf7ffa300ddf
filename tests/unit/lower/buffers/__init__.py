"""Buffers: who may write where, and when."""
