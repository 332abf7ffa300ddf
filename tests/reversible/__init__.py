"""Random reversible procedures, run forwards, backwards and differentiated, against an interpreter of their own."""
