"""The method `coarsened`: segments are differentiated as expressions, the rest as the method `redundant` does."""
