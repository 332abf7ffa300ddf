"""Planned loops as vector code: blocks of lanes at one width, their bodies, values and memory."""
