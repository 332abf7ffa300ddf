"""Loops of kernels: how operators run on the threads of a grid."""
