"""The work of `tapeless-opt`, callable from Python: read IR, run a pipeline, check diagnostics, write IR."""
