"""What the lowering needs to write arrays in place, without copies of them."""
