"""What `tapeless-opt` does, callable from Python: read IR, run a pipeline, check diagnostics, write IR."""
