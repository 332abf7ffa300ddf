"""One scope run back: its return sweep, the adjoints it keeps, and the vjp of a whole function."""
