"""Long functions cut into short ones, which LLVM compiles in proportion to their length."""
