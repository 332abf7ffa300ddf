"""Which pass changes which programs."""
