"""The command line programs `tapeless` and `tapeless-opt`."""
