"""`lower-to-llvm`: from loops on memrefs to the llvm dialect."""
