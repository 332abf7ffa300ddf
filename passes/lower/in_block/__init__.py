"""Loops of the host whose launches the threads of one block do together."""
