"""From core IR to the llvm dialect: where arrays live, loops, vectors, arithmetic, machine code."""
