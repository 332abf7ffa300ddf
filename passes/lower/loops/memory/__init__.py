"""Memory for arrays while loops are emitted: buffers, and the places where arrays are built."""
