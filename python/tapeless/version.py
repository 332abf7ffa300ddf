"""The version of Tapeless; the build reads it from here, and saved kernels keep it."""

__version__ = "0.2.0"
