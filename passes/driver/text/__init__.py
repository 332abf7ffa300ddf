"""The text of pipelines: its grammar, and from names to passes."""
