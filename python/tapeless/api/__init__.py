"""What users call: decorated functions, compiled kernels, options."""
