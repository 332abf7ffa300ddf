"""Differentiation of core IR: activity analysis, tangents (`forward`), and the adjoints of each method."""
