"""Reading Python functions, without MLIR: their source, what of the syntax is refused, jumps made structured."""
