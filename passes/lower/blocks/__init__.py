"""Work cut into blocks, which threads take: partial results, copies, and how they are combined."""
