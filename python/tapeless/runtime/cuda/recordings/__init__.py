"""Calls recorded once and started again as graphs: their nodes, order and memory."""
