"""The adjoints of second-order operators."""
