"""`soac-factor`: factors that terms have in common."""
