"""Array operations without a body: elements, slices, sizes, constants."""
