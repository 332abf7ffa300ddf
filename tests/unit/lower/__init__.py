"""Tests of the lowering to loops."""
