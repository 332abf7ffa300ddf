"""Regions read as graphs, and graphs written as regions: what passes of `phi` hand to each other."""
