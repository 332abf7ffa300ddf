"""Import and export of graphs: regions read as graphs, and graphs written as regions."""
