"""Which form an operator runs in: decided here, once per operator, and carried out by the emission of loops."""
