"""GradBench: Tapeless as a tool of that public suite; `python -m tapeless.gradbench` speaks its protocol."""
