"""The pass `linalg-to-core`: structured operations on tensors as maps, reductions, products and scans."""
