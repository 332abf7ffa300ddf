"""Running passes: pipelines from text to steps, instruments, and how passes describe themselves."""
