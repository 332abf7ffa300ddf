"""Sparse Jacobians and Hessians: patterns found and coloured, compressed products, matrices of scipy."""
