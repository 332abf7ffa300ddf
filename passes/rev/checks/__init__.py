"""Run-time checks of the promises of a procedure."""
