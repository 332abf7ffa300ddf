"""Two contractions in one launch."""
