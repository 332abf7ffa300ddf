"""The plan of launches as it is built: steps, expressions, and the places of values of the host function."""
