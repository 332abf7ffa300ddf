"""Kernels on NVIDIA GPUs: the driver by ctypes, launch plans as Python functions, arrays of several libraries."""
