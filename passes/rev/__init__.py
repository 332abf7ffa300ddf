"""Reversible procedures: brought into normal form, inverted, differentiated, and made core IR."""
