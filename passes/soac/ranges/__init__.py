"""Between which numbers integers lie, and what follows from that."""
