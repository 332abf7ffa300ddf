"""The loader: runs compiled kernels with nothing but numpy, ctypes and the C runtime."""
