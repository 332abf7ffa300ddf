"""Expressions made core IR: which instructions compute them, where, and with which flags."""
