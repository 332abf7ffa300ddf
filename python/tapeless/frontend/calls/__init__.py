"""Calls of functions: arguments bound to parameters, bodies inline or as functions of the module."""
