"""Folds of contractions whose columns stay in shared memory while rows go by."""
