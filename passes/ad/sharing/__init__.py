"""Code that does not depend on the seed is computed once, before the map over seeds."""
