"""Tapeless differentiates programs without a tape."""
