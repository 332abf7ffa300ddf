"""Places in arrays: what is known of indices, which elements a read or a write names, what two places share."""
