"""The figures of the passes that are to stay small."""
