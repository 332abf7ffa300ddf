"""Rules that assign arrays to storages, one file per family of operations."""
