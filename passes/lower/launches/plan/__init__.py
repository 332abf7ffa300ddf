"""The plan of launches as it is built: steps, expressions, and what values of the host function are to it."""
