"""Running passes: pipelines from text to steps, what watches them, and how passes describe themselves."""
