"""Differentiation of core IR: what is active, tangents (`forward`), and what each method does for adjoints."""
