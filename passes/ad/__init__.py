"""Differentiation of core IR: what is active, tangents (`forward`), adjoints (`reverse`), loops prepared for them."""
