"""Functions of the language for programs of JAX and PyTorch."""
