"""Every way to make an array with every way to use it."""
