"""The command-line programs; each is thin, and what it does can be called from Python."""
