"""Results of benchmarks, read from JSON, as one HTML file and as pages of the manual."""
