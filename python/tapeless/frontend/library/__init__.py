"""Functions written in the language, which operators call, with derivative rules where formulas are
better than code.
"""
