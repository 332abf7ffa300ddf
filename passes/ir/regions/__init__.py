"""How operations with regions are put together, and what follows from it: members, slots, liveness."""
