"""Elementary functions written as arithmetic on `Lanes`; `functions.py` lists them."""
