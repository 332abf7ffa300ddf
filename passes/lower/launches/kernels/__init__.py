"""Kernels as they are built, and what GPUs need in their code: functions, atomic updates, reports of failed checks."""
