"""Checks that need a GPU and the libraries that share it; bundles for them are made on any machine."""
