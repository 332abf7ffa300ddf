"""Random programs from seeds, run in many ways and compared with references: `make fuzz`."""
