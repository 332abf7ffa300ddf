"""Modules of MLIR that users hand over: read, brought into core IR, and their functions found."""
