"""Tests of the frontend: what it translates, what it refuses, and with which words."""
