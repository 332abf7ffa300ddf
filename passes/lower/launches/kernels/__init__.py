"""Kernels as they are built, and code specific to GPUs: functions, atomic updates, reports of failed checks."""
