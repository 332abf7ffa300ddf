"""Tests of the adapter for GradBench: what it says, and that its numbers are right."""
