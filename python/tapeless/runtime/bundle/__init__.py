"""Saved kernels: one file with code for several targets, which is read, checked and chosen from without a compiler."""
