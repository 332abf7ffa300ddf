"""Tests of functions and procedures that call themselves."""
