"""The four objectives of ADBench: as users of Tapeless, JAX and PyTorch write them, and their derivatives in C."""
