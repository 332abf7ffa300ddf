"""Runs compiled and saved kernels with nothing but numpy, ctypes and the C runtime; imports no part of the compiler."""
