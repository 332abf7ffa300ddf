"""Histograms as launches."""
