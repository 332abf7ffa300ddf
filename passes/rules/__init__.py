"""The derivative tables that all methods share: nothing but mathematics."""
