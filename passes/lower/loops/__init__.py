"""`lower-loops`: core IR becomes loops on memrefs, one file per kind of operation."""
