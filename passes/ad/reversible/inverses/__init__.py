"""How the statements of a loop's body are undone: what is known after them tells what was there before."""
