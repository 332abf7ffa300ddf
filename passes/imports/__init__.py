"""Programs of other producers, brought to core IR."""
