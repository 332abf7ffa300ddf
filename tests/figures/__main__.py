"""Prints the figures of the passes; `make structure` calls it."""

from __future__ import annotations

from figures import compiled, sources

if __name__ == "__main__":
    for name, value in (*sources.rows(), *compiled.rows()):
        print(f"{name:<68} {value}")
