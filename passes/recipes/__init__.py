"""Recipes: fast ways for one kind of program each, beside the general ones, which `recipes="off"` takes alone."""
