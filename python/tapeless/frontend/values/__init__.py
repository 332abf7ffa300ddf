"""What names and expressions stand for while a function is translated: numbers, symbolic integers, types, frames."""
