"""A checker of the plan: which value does each piece of memory hold, and does every read see the value it asks for."""
