"""Elementary functions on `Lanes`, one file per family."""
