"""The meaning of generated programs by numpy alone."""
