"""The MLIR dialects of Tapeless."""
