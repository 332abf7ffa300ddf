"""The gate: small programs whose run time and compile time must stay what they were."""
