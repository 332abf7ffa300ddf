"""Reading Python functions, without MLIR: their source, refused syntax, jumps made structured."""
