"""From kernels in a `gpu.module` to the dialect nvvm: passes around the conversions of MLIR."""
