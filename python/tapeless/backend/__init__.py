"""From the llvm dialect to code in memory: LLVM's optimiser, the linker, and the cache of compiled kernels."""
