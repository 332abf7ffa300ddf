"""Memory of loops that every iteration would take and give back."""
