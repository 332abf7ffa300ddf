"""Places in arrays: facts on indices, the elements that a read or a write names, intersections of places."""
