"""Values while a function is translated: numbers, symbolic integers, types, frames."""
